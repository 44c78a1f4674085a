import styles from './waiting.module.css';

/** A skeleton for lines that are loading. */
export function Waiting({ lines, text }: { lines: number; text: string }) {
  return (
    <>
      <p className="visually-hidden" role="status">
        {text}
      </p>
      <div className={styles.lines} aria-hidden="true">
        {Array.from({ length: lines }, (_, line) => (
          <i key={String(line)} />
        ))}
      </div>
    </>
  );
}
