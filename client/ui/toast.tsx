import toast from 'react-hot-toast/headless';
import styles from './toasts.module.css';

function message(text: string, reason?: string) {
  return (
    <>
      <span className={styles.text}>{text}</span>
      {reason ? <span className={styles.reason}>{reason}</span> : null}
    </>
  );
}

/** Shows a success for 2 s. `text` is the first line, unchanged; `reason` the second. */
export function showSuccess(text: string, reason?: string) {
  toast.success(message(text, reason));
}

/** Shows an error for 4 s and announces it at once. `text` is the first line, unchanged; `reason` the second. */
export function showError(text: string, reason?: string) {
  toast.error(message(text, reason), { ariaProps: { role: 'alert', 'aria-live': 'assertive' } });
}
