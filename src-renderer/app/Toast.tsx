import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react';

interface Toast {
  readonly id: number;
  readonly text: ReactNode;
}
interface Toasts {
  /** One line for some seconds, also read aloud politely. */
  readonly say: (text: ReactNode) => void;
}

const ToastContext = createContext<Toasts>({ say: () => undefined });
const SHOWN_MS = 6000;

export const useToast = (): Toasts => useContext(ToastContext);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast | null>(null);
  const count = useRef(0);
  const say = useCallback((text: ReactNode) => {
    count.current += 1;
    const id = count.current;
    setToast({ id, text });
    window.setTimeout(() => setToast((shown) => (shown?.id === id ? null : shown)), SHOWN_MS);
  }, []);
  const value = useMemo(() => ({ say }), [say]);
  return (
    <ToastContext value={value}>
      {children}
      <div role="status" className="toasts">
        {toast !== null && <div className="toast">{toast.text}</div>}
      </div>
    </ToastContext>
  );
}
