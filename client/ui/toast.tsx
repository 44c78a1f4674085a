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

/** 2 s. `text` is the toast's first line, letter for letter; `reason` its second. */
export function showSuccess(text: string, reason?: string) {
  toast.success(message(text, reason));
}

/** 4 s, spoken at once. `text` is the toast's first line, letter for letter; `reason` its second. */
export function showError(text: string, reason?: string) {
  toast.error(message(text, reason), { ariaProps: { role: 'alert', 'aria-live': 'assertive' } });
}
