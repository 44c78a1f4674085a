import styles from './progress-bar.module.css';

interface ProgressBarProps {
  /** per cent, whole */
  value: number;
  tone?: 'plain' | 'ok' | 'warn' | 'danger';
  size?: 'normal' | 'large' | 'huge';
  /** `meter` for a share that is not progress. */
  role?: 'progressbar' | 'meter';
  /** The accessible name: the id of a label, or the words. */
  labelledBy?: string;
  label?: string;
  /** Read instead of the number. */
  valueText?: string;
}

export function ProgressBar({
  value,
  tone = 'plain',
  size = 'normal',
  role = 'progressbar',
  labelledBy,
  label,
  valueText,
}: ProgressBarProps) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles support them
    <div
      className={styles.bar}
      data-tone={tone}
      data-size={size}
      role={role}
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
      aria-valuetext={valueText}
    >
      <i style={{ inlineSize: `${value}%` }} />
    </div>
  );
}
