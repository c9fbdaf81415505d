import { FOCUSABLE } from './focus-place.ts';
import { useKeys } from './use-keys.ts';

const areas = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-area]')].filter(
    (area) => area.getClientRects().length > 0,
  );

function enter(area: HTMLElement | undefined): void {
  if (area === undefined) return;
  if (area.tabIndex >= 0) area.focus();
  else area.querySelector<HTMLElement>(FOCUSABLE)?.focus();
}

/** F6 goes from area to area (sidebar, list, detail, actions), Shift F6 back: whatever carries `data-area`. */
export function useAreas(): void {
  const step = (by: 1 | -1): void => {
    const all = areas();
    const inside = all.findIndex((area) => area.contains(document.activeElement));
    const next = inside === -1 ? (by === 1 ? 0 : all.length - 1) : (inside + by + all.length) % all.length;
    enter(all[next]);
  };
  useKeys({ F6: () => step(1), 'Shift+F6': () => step(-1) });
}
