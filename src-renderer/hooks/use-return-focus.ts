import { useState } from 'react';
import { nearestTo, placeOf } from './focus-place.ts';

/**
 * For `onCloseAutoFocus` of a dialog that is mounted when it opens: gives the focus back to what had it, or to what
 * is nearest when that is gone. A dialog of
 * Radix without a trigger of its own would leave it nowhere.
 */
export function useReturnFocus(): (event: Event) => void {
  const [place] = useState(() => placeOf(document.activeElement));
  return (event) => {
    event.preventDefault();
    nearestTo(place)?.focus();
  };
}
