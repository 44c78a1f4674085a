import { CircleAlert } from 'lucide-react';
import type { InputHTMLAttributes, ReactNode, Ref } from 'react';
import { useId } from 'react';
import styles from './field.module.css';

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'children' | 'height'> {
  label: string;
  /** Shows the label only to screen readers. */
  hideLabel?: boolean;
  /** An icon before the text. */
  icon?: ReactNode;
  /** A button or a key name after the text. */
  end?: ReactNode;
  ref?: Ref<HTMLInputElement>;
  /** `small`: 42 px high, for toolbars. */
  height?: 'normal' | 'small';
  /** Why the input was refused. */
  error?: string | undefined;
  /** What to type. */
  hint?: string | undefined;
}

/** A labelled text box. */
export function Field({
  label,
  hideLabel,
  icon,
  end,
  id,
  className = '',
  height = 'normal',
  error,
  hint,
  ...input
}: FieldProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const noteId = `${ownId}-note`;
  const note = error ?? hint;
  return (
    <div className={`${styles.field} ${className}`}>
      <label htmlFor={inputId} className={hideLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      <div className={styles.control} data-height={height}>
        {icon}
        <input
          {...input}
          id={inputId}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? noteId : undefined}
        />
        {end}
      </div>
      {note ? (
        <p id={noteId} className={error ? styles.error : styles.hint}>
          {error ? <CircleAlert /> : null}
          {note}
        </p>
      ) : null}
    </div>
  );
}
