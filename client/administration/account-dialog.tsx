import { type FormEvent, Suspense, useState } from 'react';
import type { AdminAccount, PasswordLink } from '../../server/contract.ts';
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

type Proven = 'promote' | 'link' | 'reset';

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

/** What an administrator does without a further proof. */
function accountActions(account: AdminAccount) {
  const { people } = texts;
  const { id } = account;
  const demote = () =>
    runAfter(question(account, people.demote), async () => {
      await changeAccountOf(id, { role: 'user' });
      // Nothing of this page answers an ordinary account.
      if (id === session.user()?.id) location.assign(home);
      return people.saved;
    });
  const disable = (withLinks: boolean) =>
    runAfter(question(account, withLinks ? people.silence : people.disable), async () => {
      await changeAccountOf(id, { disabled: true, ...(withLinks && { silence_links: true }) });
      return people.saved;
    });
  const enable = () =>
    run(async () => {
      await changeAccountOf(id, { disabled: false });
      return people.saved;
    });
  const endSessions = () =>
    runAfter(question(account, people.endSessions), async () => people.ended(await endSessionsOf(id)));
  return { demote, disable, enable, endSessions };
}

/** Role, state and ways in. */
function Actions({ account, onClose }: PartProps) {
  const { people } = texts;
  const [proving, setProving] = useState<Proven>();
  const [link, setLink] = useState<PasswordLink>();
  const hasPasswords = useQuery(signInOptionsQuery, true).data?.password_login !== false;
  const { id, role } = account;
  const { demote, disable, enable, endSessions } = accountActions(account);
  const isAdmin = role === 'admin';
  const isDisabled = account.disabled_at !== null;
  /** What opens the server or the account to someone: not with a stolen session. */
  const proven: Record<Proven, (proof: string) => Promise<string>> = {
    async promote(proof) {
      await changeAccountOf(id, { role: 'admin', proof });
      return people.saved;
    },
    async link(proof) {
      setLink(await createPasswordLink(id, proof));
      return people.linkMade;
    },
    async reset(proof) {
      await resetFactorsOf(id, proof);
      return people.saved;
    },
  };
  const askAgain = async (action: Proven, words: Parameters<typeof question>[1]) => {
    if (await confirm({ ...question(account, words), cancel: texts.cancel }, texts.failed)) setProving(action);
  };
  return (
    <>
      <div className={styles.actions}>
        <Button variant="line" onClick={() => void (isAdmin ? demote() : askAgain('promote', people.promote))}>
          {isAdmin ? people.demote.button : people.promote.button}
        </Button>
        <Button variant="line" onClick={() => void endSessions()}>
          {people.endSessions.button}
        </Button>
        {account.passkeys > 0 || account.has_codes ? (
          <Button variant="line" onClick={() => void askAgain('reset', people.resetFactors)}>
            {people.resetFactors.button}
          </Button>
        ) : null}
        {isDisabled ? (
          <Button variant="line" onClick={() => void enable()}>
            {people.enable}
          </Button>
        ) : (
          <>
            {hasPasswords ? (
              <Button variant="line" onClick={() => setProving('link')}>
                {people.passwordLink}
              </Button>
            ) : null}
            <Button variant="line" onClick={() => void disable(false)}>
              {people.disable.button}
            </Button>
            <Button variant="line" onClick={() => void disable(true)}>
              {people.silence.button}
            </Button>
          </>
        )}
      </div>
      {link === undefined ? null : <OnceShown label={people.linkNote(formatMoment(link.expires_at))} url={link.url} />}
      <Deletion account={account} onClose={onClose} />
      <Suspense>
        {proving === undefined ? null : (
          <ProofPrompt
            onProof={async (proof) => {
              const done = await proven[proving](proof);
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

function Deletion({ account, onClose }: PartProps) {
  const { remove } = texts.people;
  const [isAsking, setAsking] = useState(false);
  const [busy, start] = useBusy();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = formText(new FormData(event.currentTarget), 'username');
    void start(async () => {
      const isDone = await run(async () => {
        await deleteAccountOf(account.id, name);
        return remove.done;
      });
      if (isDone) onClose();
    });
  };
  if (!isAsking) {
    return (
      <Button variant="ghost" className={styles.danger} onClick={() => setAsking(true)}>
        {remove.button}
      </Button>
    );
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <p>{remove.text(account.images)}</p>
      <Field label={remove.label(account.username)} name="username" required autoComplete="off" dir="auto" />
      <div className={styles.actions}>
        <Button type="submit" variant="danger" busy={busy}>
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
  const { people, close } = texts;
  const { passkeys, has_codes: codes, providers, has_password: password, sessions, tokens } = account;
  return (
    <Dialog title={<bdi>{account.username}</bdi>} onClose={onClose}>
      <p>
        <bdi>{account.email}</bdi>
      </p>
      <p className={styles.note}>
        <span>{people.created(formatMoment(account.created_at))}</span>
        <span>{people.sessions(sessions)}</span>
        <span>{people.tokens(tokens)}</span>
      </p>
      <p className={styles.note}>{people.waysIn({ password, passkeys, codes, providers })}</p>
      <QuotaForm account={account} />
      <Actions account={account} onClose={onClose} />
      <Button variant="ghost" onClick={onClose}>
        {close}
      </Button>
    </Dialog>
  );
}
