import { ChevronDown } from 'lucide-react';
import { type ReactNode, type Ref, type SelectHTMLAttributes, useId } from 'react';
import field from './field.module.css';
import styles from './select.module.css';

interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string;
  ref?: Ref<HTMLSelectElement>;
  /** `small`: as a small field. */
  height?: 'normal' | 'small';
  hint?: string | undefined;
  /** Why the choice was refused, or cannot be offered. */
  error?: string | undefined;
  children: ReactNode;
}

/** A labelled list to choose from. */
export function Select({ label, height = 'normal', hint, error, children, ...select }: SelectProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={field.field}>
      <label htmlFor={id} className={field.label}>
        {label}
      </label>
      <div className={styles.control} data-height={height}>
        <select {...select} id={id} aria-describedby={note ? `${id}-note` : undefined}>
          {children}
        </select>
        <ChevronDown />
      </div>
      {note ? (
        <p id={`${id}-note`} className={error ? field.error : field.hint}>
          {note}
        </p>
      ) : null}
    </div>
  );
}
