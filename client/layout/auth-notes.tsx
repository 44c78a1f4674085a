import { useQuery } from '../query/use-query.ts';
import { auth as texts } from '../text/words.ts';
import { TextLink } from '../ui/buttons/text-link.tsx';
import layout from './auth-layout.module.css';
import styles from './auth-notes.module.css';
import { signInOptionsQuery } from './sign-in-options.ts';

/** The link for reporting abuse, if the operator names a contact. */
function AbuseContact({ href }: { href: string }) {
  return (
    <p className={styles.contact}>
      <a href={href}>{texts.reportAbuse}</a>
      {href.startsWith('mailto:') ? <bdi>{href.slice('mailto:'.length)}</bdi> : null}
    </p>
  );
}

/** What the server adds below the form. */
export function AuthNotes({ offersSetup }: { offersSetup: boolean }) {
  const options = useQuery(signInOptionsQuery).data;
  return (
    <>
      {offersSetup && options?.setup ? (
        <p className={layout.footer}>
          {texts.noAdmin} <TextLink href="/setup">{texts.setUp}</TextLink>
        </p>
      ) : null}
      {options?.abuse_contact ? <AbuseContact href={options.abuse_contact} /> : null}
    </>
  );
}
