import type { InputHTMLAttributes, ReactNode, Ref } from 'react';
import { useId } from 'react';
import styles from './field.module.css';

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'children' | 'height'> {
  label: string;
  /** The label stays for screen readers alone. */
  hideLabel?: boolean;
  /** Before the text: an icon. */
  icon?: ReactNode;
  /** After the text: a button, a key's name. */
  end?: ReactNode;
  ref?: Ref<HTMLInputElement>;
  /** `small`: 42 px high, for a bar of controls. */
  height?: 'normal' | 'small';
}

/** A labelled text box. */
export function Field({ label, hideLabel, icon, end, id, className = '', height = 'normal', ...input }: FieldProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  return (
    <div className={`${styles.field} ${className}`}>
      <label htmlFor={inputId} className={hideLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      <div className={styles.control} data-height={height}>
        {icon}
        <input {...input} id={inputId} />
        {end}
      </div>
    </div>
  );
}
