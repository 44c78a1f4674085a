import { useEffect, useState } from 'react';
import { abuseContact } from '../api/password-reset.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { auth as texts } from '../text/words.ts';
import styles from './abuse-contact.module.css';

/** The link for reporting abuse, if the operator names a contact. Loaded when the page is idle. */
export function AbuseContact() {
  const [href, setHref] = useState<string | null>(null);
  useEffect(() => {
    let isOver = false;
    const callOff = whenIdle(() => {
      abuseContact().then(
        (found) => isOver || setHref(found),
        () => {},
      );
    });
    return () => {
      isOver = true;
      callOff();
    };
  }, []);
  if (href === null) return null;
  return (
    <p className={styles.contact}>
      <a href={href}>{texts.reportAbuse}</a>
      {href.startsWith('mailto:') ? <bdi>{href.slice('mailto:'.length)}</bdi> : null}
    </p>
  );
}
