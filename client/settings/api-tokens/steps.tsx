import { type ReactNode, useId } from 'react';
import styles from './steps.module.css';

/** A text with `code` in it. */
const withCode = (text: string): ReactNode[] =>
  text.split('`').map((part, index) => {
    const key = `${index}`;
    return index % 2 === 0 ? (
      part
    ) : (
      <code key={key} dir="ltr">
        {part}
      </code>
    );
  });

/** The server's Markdown: a title, a paragraph and numbered steps. */
export function Steps({ text }: { text: string }) {
  const id = useId();
  const lines = text.split('\n').filter(Boolean);
  const [title = '', note = ''] = lines;
  return (
    <section className={styles.steps} aria-labelledby={id}>
      <h4 id={id}>{title.replace('# ', '')}</h4>
      <p>{note}</p>
      <ol>
        {lines.slice(2).map((line) => (
          <li key={line}>{withCode(line.replace(/^\d+\. /, ''))}</li>
        ))}
      </ol>
    </section>
  );
}
