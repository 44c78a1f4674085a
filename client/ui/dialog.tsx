import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './dialog.module.css';
import { ToastHost } from './toast-host.tsx';

interface DialogProps {
  title: string;
  /** Told when it closes itself: by Esc, or a press outside of it. */
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog, open for as long as it is drawn. Its first field has the focus; at its end that goes back to where it was. */
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc does the same, by the browser
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
