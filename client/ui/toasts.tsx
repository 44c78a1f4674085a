import { CircleAlert, CircleCheck } from 'lucide-react';
import { createPortal } from 'react-dom';
import { resolveValue, type Toast, useToaster } from 'react-hot-toast/headless';
import { useToastHost } from './toast-host.tsx';
import styles from './toasts.module.css';

const leaveTime = 200;

function ToastView({ toast }: { toast: Toast }) {
  return (
    <div className={styles.toast} data-kind={toast.type} data-leaving={!toast.visible || undefined}>
      {toast.type === 'success' ? <CircleCheck /> : null}
      {toast.type === 'error' ? <CircleAlert /> : null}
      <div className={styles.message} {...toast.ariaProps}>
        {resolveValue(toast.message, toast)}
      </div>
    </div>
  );
}

/** The page's toasts, newest first. react-hot-toast manages the list (at most 20) and the durations; the styles are ours. */
export function Toasts() {
  const { toasts, handlers } = useToaster({ removeDelay: leaveTime });
  const host = useToastHost();
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only pause the timers
    <div
      className={styles.toasts}
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      onFocus={handlers.startPause}
      onBlur={handlers.endPause}
    >
      {toasts.map((toast) => (
        <ToastView key={toast.id} toast={toast} />
      ))}
    </div>,
    host,
  );
}
