import { type FormEvent, Suspense, useState } from 'react';
import type { AdminAccount, AdminAccountChange, PasswordLink } from '../../server/contract.ts';
import {
  changeAccountOf,
  createPasswordLink,
  deleteAccountOf,
  endSessionsOf,
  resetFactorsOf,
} from '../api/administration.ts';
import { signInOptionsQuery } from '../layout/sign-in-options.ts';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { useQuery } from '../query/use-query.ts';
import { home } from '../routes.ts';
import { session } from '../session/session.ts';
import { ProofPrompt } from '../settings/factors/lazy-prompt.ts';
import { formatBytes } from '../text/format-bytes.ts';
import { formatMoment } from '../text/format-moment.ts';
import { administration as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { confirm } from '../ui/dialogs/confirm.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Field } from '../ui/fields/field.tsx';
import { showSuccess } from '../ui/toasts/toast.ts';
import styles from './administration.module.css';
import { OnceShown } from './once-shown.tsx';
import { reload } from './queries.ts';
import { QuotaFields, quotaIn } from './quota-fields.tsx';
import { run, runAfter } from './run.ts';

interface PartProps {
  account: AdminAccount;
  onClose: () => void;
}

function QuotaForm({ account }: { account: AdminAccount }) {
  const { people, save } = texts;
  const [busy, start] = useBusy();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const quota = quotaIn(new FormData(event.currentTarget));
    void start(async () => {
      await run(async () => {
        await changeAccountOf(account.id, quota);
        return people.saved;
      });
    });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <QuotaFields images={account.quota_images} bytes={account.quota_bytes} />
      <Button type="submit" variant="line" busy={busy}>
        {save}
      </Button>
    </form>
  );
}

function question({ username }: AdminAccount, words: { title: string; text: (name: string) => string; yes: string }) {
  const target = document.querySelector<HTMLElement>('dialog[open]');
  return { title: words.title, text: words.text(username), confirm: words.yes, ...(target ? { target } : {}) };
}

/** Runs with a proof of the administrator. @returns what it did */
type Proven = (proof: string) => Promise<string>;

interface Act {
  words: { button: string; text: (name: string) => string };
  start: () => void;
}

interface Asking {
  /** Asks for a proof, then runs. */
  prove: (act: Proven) => void;
  showLink: (link: PasswordLink) => void;
}

/** What an administrator can do with the account now. */
function actsOn(account: AdminAccount, hasPasswords: boolean, { prove, showLink }: Asking): Act[] {
  const { people } = texts;
  const { id, role } = account;
  /** An open session is not enough for what shuts people out, opens an account or cannot be undone. */
  const proven = (words: Parameters<typeof question>[1] & Act['words'], act: Proven): Act => ({
    words,
    start: async () => {
      if (await confirm({ ...question(account, words), cancel: texts.cancel }, texts.failed)) prove(act);
    },
  });
  const change =
    (changes: AdminAccountChange): Proven =>
    async (proof) => {
      await changeAccountOf(id, { ...changes, proof });
      // Nothing of this page answers an ordinary account.
      if (id === session.user()?.id && changes.role === 'user') location.assign(home);
      return people.saved;
    };
  const enable = () =>
    run(async () => {
      await changeAccountOf(id, { disabled: false });
      return people.saved;
    });
  const makeLink: Proven = async (proof) => {
    showLink(await createPasswordLink(id, proof));
    return people.linkMade;
  };
  const resetFactors: Proven = async (proof) => {
    await resetFactorsOf(id, proof);
    return people.saved;
  };
  const { endSessions, passwordLink } = people;
  const isDisabled = account.disabled_at !== null;
  return [
    role === 'admin'
      ? proven(people.demote, change({ role: 'user' }))
      : proven(people.promote, change({ role: 'admin' })),
    {
      words: endSessions,
      start: () => runAfter(question(account, endSessions), async () => people.ended(await endSessionsOf(id))),
    },
    ...(account.passkeys > 0 || account.has_codes ? [proven(people.resetFactors, resetFactors)] : []),
    ...(isDisabled
      ? [{ words: people.enable, start: enable }]
      : [
          ...(hasPasswords ? [{ words: passwordLink, start: () => prove(makeLink) }] : []),
          proven(people.disable, change({ disabled: true })),
          proven(people.silence, change({ disabled: true, silence_links: true })),
        ]),
  ];
}

/** Role, state and ways in, each with its consequence. */
function Actions({ account, onClose }: PartProps) {
  const { people } = texts;
  const [proving, setProving] = useState<{ act: Proven }>();
  const [link, setLink] = useState<PasswordLink>();
  const hasPasswords = useQuery(signInOptionsQuery, true).data?.password_login !== false;
  const prove = (act: Proven) => setProving({ act });
  return (
    <>
      <p className={styles.quiet}>{people.rule}</p>
      <ul className={styles.acts}>
        {actsOn(account, hasPasswords, { prove, showLink: setLink }).map(({ words, start }) => (
          <li key={words.button}>
            <Button variant="line" onClick={start}>
              {words.button}
            </Button>
            <p className={styles.quiet}>{words.text(account.username)}</p>
          </li>
        ))}
      </ul>
      {link === undefined ? null : <OnceShown label={people.linkNote(formatMoment(link.expires_at))} url={link.url} />}
      <Deletion
        account={account}
        onDelete={(username) =>
          prove(async (proof) => {
            await deleteAccountOf(account.id, { username, proof });
            onClose();
            return people.remove.done;
          })
        }
      />
      <Suspense>
        {proving === undefined ? null : (
          <ProofPrompt
            onProof={async (proof) => {
              const done = await proving.act(proof);
              setProving(undefined);
              showSuccess(done);
              reload();
            }}
            onClose={() => setProving(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}

function Deletion({ account, onDelete }: { account: AdminAccount; onDelete: (username: string) => void }) {
  const { remove } = texts.people;
  const [isAsking, setAsking] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onDelete(formText(new FormData(event.currentTarget), 'username'));
  };
  if (!isAsking) {
    return (
      <ul className={styles.acts}>
        <li>
          <Button variant="ghost" className={styles.danger} onClick={() => setAsking(true)}>
            {remove.button}
          </Button>
          <p className={styles.quiet}>{remove.text(account.images)}</p>
        </li>
      </ul>
    );
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <p>{remove.text(account.images)}</p>
      <Field label={remove.label(account.username)} name="username" required autoComplete="off" dir="auto" />
      <div className={styles.actions}>
        <Button type="submit" variant="danger">
          {remove.yes}
        </Button>
        <Button variant="ghost" onClick={() => setAsking(false)}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}

/** An account: what is known of it, its limits, and what an administrator does with it. */
export function AccountDialog({ account, onClose }: PartProps) {
  const { people, overview, close } = texts;
  const { passkeys, has_codes: codes, providers, has_password: password, sessions, tokens } = account;
  return (
    <Dialog title={<bdi>{account.username}</bdi>} onClose={onClose}>
      <p>
        <bdi>{account.email}</bdi>
      </p>
      <p className={styles.note}>
        <span>{`${overview.count(account.images)} · ${formatBytes(account.bytes)}`}</span>
        <span>{people.created(formatMoment(account.created_at))}</span>
        <span>{account.seen_at === null ? people.notSeen : people.seen(formatMoment(account.seen_at))}</span>
        <span>{people.sessions(sessions)}</span>
        <span>{people.tokens(tokens)}</span>
      </p>
      <p className={styles.note}>{people.logsInBy(people.waysIn({ password, passkeys, codes, providers }))}</p>
      <QuotaForm account={account} />
      <Actions account={account} onClose={onClose} />
      <Button variant="ghost" onClick={onClose}>
        {close}
      </Button>
    </Dialog>
  );
}
