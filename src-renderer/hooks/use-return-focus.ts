import { useState } from 'react';

/**
 * For `onCloseAutoFocus` of a dialog that is mounted when it opens: gives the focus back to what had it. A dialog of
 * Radix without a trigger of its own would leave it nowhere.
 */
export function useReturnFocus(): (event: Event) => void {
  const [opener] = useState(() => document.activeElement);
  return (event) => {
    event.preventDefault();
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  };
}
