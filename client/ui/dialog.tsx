import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './dialog.module.css';
import { ToastHost } from './toast-host.tsx';

interface DialogProps {
  title: string;
  /** Called on Esc or a click outside. */
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog, open while it is mounted. Its first field gets the focus; afterwards the focus returns. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    shown?.showModal();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser already handles Esc
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className={styles.inside}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {children}
      </div>
      <ToastHost />
    </dialog>
  );
}
