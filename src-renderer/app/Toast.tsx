import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react';

interface Toast {
  readonly id: number;
  readonly text: ReactNode;
}
interface Toasts {
  /** One line for some seconds, also read aloud politely. */
  readonly say: (text: ReactNode) => void;
  /** The same for as long as is given. @returns what takes it away sooner */
  readonly show: (text: ReactNode, shownMs: number) => () => void;
}

const ToastContext = createContext<Toasts>({
  say: () => undefined,
  show: () => () => undefined,
});
const SHOWN_MS = 6000;

export const useToast = (): Toasts => useContext(ToastContext);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast | null>(null);
  const count = useRef(0);
  const show = useCallback((text: ReactNode, shownMs: number) => {
    count.current += 1;
    const id = count.current;
    const hide = (): void => setToast((shown) => (shown?.id === id ? null : shown));
    setToast({ id, text });
    window.setTimeout(hide, shownMs);
    return hide;
  }, []);
  const value = useMemo(() => ({ show, say: (text: ReactNode) => void show(text, SHOWN_MS) }), [show]);
  return (
    <ToastContext value={value}>
      {children}
      <div role="status" className="toasts">
        {toast !== null && (
          <div key={toast.id} className="toast">
            {toast.text}
          </div>
        )}
      </div>
    </ToastContext>
  );
}
