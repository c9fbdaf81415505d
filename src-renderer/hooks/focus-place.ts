export const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), [tabindex]:not([tabindex="-1"])';

const isShown = (element: Element): boolean => element.getClientRects().length > 0;
const focusablesIn = (element: Element): HTMLElement[] =>
  [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(isShown);

/** Where something is: itself and what is around it, up to the screen, which is too large to be a place. */
export function placeOf(element: Element | null): readonly Element[] {
  const place: Element[] = [];
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) {
    if (at.querySelector('main') !== null) break;
    place.push(at);
  }
  return place;
}

/**
 * What is nearest to a place that may be partly gone: in the closest thing around it that is still there, in the
 * header that took its header's place, or else in the first area of the screen.
 */
export function nearestTo(place: readonly Element[]): HTMLElement | null {
  for (const around of place) {
    if (!around.isConnected) continue;
    if (around instanceof HTMLElement && around.matches(FOCUSABLE) && isShown(around)) return around;
    const [inside] = focusablesIn(around);
    if (inside !== undefined) return inside;
  }
  const header = place.some(({ tagName }) => tagName === 'HEADER') ? document.querySelector('header') : null;
  const main = document.querySelector('main');
  const area = main?.querySelector<HTMLElement>('[data-area][tabindex="0"]');
  return (
    (header === null ? undefined : focusablesIn(header).at(-1)) ??
    area ??
    (main === null ? undefined : focusablesIn(main)[0]) ??
    null
  );
}
