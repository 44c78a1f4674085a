import { useQuery } from '../query/use-query.ts';
import { auth as texts } from '../text/words.ts';
import styles from './abuse-contact.module.css';
import { signInOptionsQuery } from './sign-in-options.ts';

/** The link for reporting abuse, if the operator names a contact. */
export function AbuseContact() {
  const href = useQuery(signInOptionsQuery).data?.abuse_contact;
  if (!href) return null;
  return (
    <p className={styles.contact}>
      <a href={href}>{texts.reportAbuse}</a>
      {href.startsWith('mailto:') ? <bdi>{href.slice('mailto:'.length)}</bdi> : null}
    </p>
  );
}
