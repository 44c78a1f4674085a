import { useSearch } from 'wouter';
import { adminPath } from '../routes.ts';
import { administration as texts } from '../text/words.ts';
import { Link } from '../ui/link.tsx';
import { PageHead } from '../ui/page/page-head.tsx';
import { accountQuery } from './account-query.ts';
import styles from './administration.module.css';
import { Audit } from './audit.tsx';
import { Invites } from './invites.tsx';
import { Loaded } from './loaded.tsx';
import { Overview } from './overview.tsx';
import { People } from './people.tsx';
import { SettingsList } from './settings-list.tsx';

const parts = { overview: Overview, people: People, invites: Invites, audit: Audit, settings: SettingsList };
type Part = keyof typeof parts;

const isPart = (name: string): name is Part => name in parts;

/** One part of the administration, named in the URL. */
function Parts() {
  const wanted = new URLSearchParams(useSearch()).get('part') ?? '';
  const current = isPart(wanted) ? wanted : 'overview';
  const Shown = parts[current];
  return (
    <>
      <nav className={styles.tabs} aria-label={texts.parts}>
        {(Object.keys(parts) as Part[]).map((part) => (
          <Link
            key={part}
            href={part === 'overview' ? adminPath : `${adminPath}?part=${part}`}
            aria-current={part === current ? 'page' : undefined}
          >
            {texts.names[part]}
          </Link>
        ))}
      </nav>
      <section className={styles.part} aria-labelledby="administration-part">
        <h2 id="administration-part">{texts.names[current]}</h2>
        <Shown />
      </section>
    </>
  );
}

/** The administration, for administrators. */
export function AdministrationScreen() {
  return (
    <>
      <PageHead title={texts.title} />
      <div className={styles.page}>
        <Loaded query={accountQuery}>
          {({ role }) => (role === 'admin' ? <Parts /> : <p className={styles.quiet}>{texts.notAdmin}</p>)}
        </Loaded>
      </div>
    </>
  );
}
