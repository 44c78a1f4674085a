import styles from './progress-bar.module.css';

interface ProgressBarProps {
  /** per cent, whole */
  value: number;
  tone?: 'plain' | 'ok' | 'danger';
  size?: 'normal' | 'large';
  /** Its name: the id of what it measures, or the words. */
  labelledBy?: string;
  label?: string;
  /** What is spoken in place of the number. */
  valueText?: string;
}

export function ProgressBar({
  value,
  tone = 'plain',
  size = 'normal',
  labelledBy,
  label,
  valueText,
}: ProgressBarProps) {
  return (
    <div
      className={styles.bar}
      data-tone={tone}
      data-size={size}
      role="progressbar"
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
