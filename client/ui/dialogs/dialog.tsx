import { type ReactNode, useId } from 'react';
import { ToastHost } from '../toasts/toast-host.tsx';
import styles from './dialog.module.css';
import { useModal } from './use-modal.ts';

interface DialogProps {
  title: ReactNode;
  size?: 'normal' | 'wide' | 'picture';
  /** Called on Esc or a click outside. */
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog, open while it is mounted. Its first field gets the focus; afterwards the focus returns. */
export function Dialog({ title, size = 'normal', onClose, children }: DialogProps) {
  const id = useId();
  const modal = useModal(onClose);
  return (
    <dialog {...modal} className={styles.dialog} data-size={size} aria-labelledby={id}>
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
