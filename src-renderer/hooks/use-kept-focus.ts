import { useEffect } from 'react';
import { nearestTo, placeOf } from './focus-place.ts';

/**
 * Whoever works by keyboard is never left nowhere: when what had the focus goes or is switched off, what is nearest
 * to it gets it. A press on an empty place takes the focus away on purpose and is left alone.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let place: readonly Element[] = [];
    let isLost = false;
    const has = (event: FocusEvent): void => {
      isLost = false;
      place = placeOf(event.target instanceof Element ? event.target : null);
    };
    const pressed = (): void => {
      place = [];
    };
    const changed = (): void => {
      const [last] = place;
      if (last === undefined) return;
      // Not yet lost, as browsers take the focus away later; it comes back once that is switched on again or goes.
      if (last.isConnected && last.matches(':disabled')) isLost = true;
      else if ((!last.isConnected || isLost) && (document.activeElement ?? document.body) === document.body)
        nearestTo(place)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(changed);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', has);
    document.addEventListener('pointerdown', pressed, { capture: true });
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', has);
      document.removeEventListener('pointerdown', pressed, { capture: true });
    };
  }, []);
}
