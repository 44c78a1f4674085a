import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { createPortal } from 'react-dom';
import toast, { resolveValue, type Toast, useToaster } from 'react-hot-toast/headless';
import { shell as texts } from '../../text/words.ts';
import { useToastHost } from './toast-host.tsx';
import styles from './toasts.module.css';
import buttons from './undo-toast.module.css';

const leaveTime = 200;

function message(text: string, reason?: string) {
  return (
    <>
      <span className={styles.text}>{text}</span>
      {reason ? <span className={styles.reason}>{reason}</span> : null}
    </>
  );
}

/** toast.ts explains the arguments. */
export function addSuccess(text: string, reason?: string) {
  toast.success(message(text, reason));
}

const atOnce = { ariaProps: { role: 'alert', 'aria-live': 'assertive' } } as const;

export function addError(text: string, reason?: string) {
  toast.error(message(text, reason), atOnce);
}

const reloadId = 'reload';

export const removeReload = () => toast.dismiss(reloadId);

/** It stays until the part has loaded, as what was pressed does nothing until then. */
export function addReload() {
  const line = (
    <span className={buttons.line}>
      <span>{texts.partFailed}</span>
      <span className={buttons.buttons}>
        <button type="button" className={buttons.undo} onClick={() => window.location.reload()}>
          {texts.reload}
        </button>
        <button
          type="button"
          className={buttons.close}
          aria-label={texts.close}
          title={texts.close}
          onClick={removeReload}
        >
          <X />
        </button>
      </span>
    </span>
  );
  toast.error(line, { ...atOnce, id: reloadId, duration: Number.POSITIVE_INFINITY });
}

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
