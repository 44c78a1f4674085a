/** The button to the sign-in provider, and what the provider led back with. Not part of the login pages' first script. */
import { useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { LoginAnswer } from '../../server/contract.ts';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { finishProviderLogin, providerStart, startProviderRegistration } from '../api/provider/login.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { queries } from '../query/queries.ts';
import { useQuery } from '../query/use-query.ts';
import { adminPath, home } from '../routes.ts';
import { shareIn, withShare } from '../session/guard.tsx';
import { session } from '../session/session.ts';
import { withWords } from '../text/language.ts';
import { providerWords } from '../text/provider-words.ts';
import { auth, claim, mailLanguage, provider as texts } from '../text/words.ts';
import { Button, buttonClass } from '../ui/buttons/button.tsx';
import { confirm } from '../ui/dialogs/confirm.ts';
import { showError, showSuccess } from '../ui/toasts/toast.ts';
import { turnOff } from './password-login.ts';
import styles from './provider-sign-in.module.css';
import { signInOptionsQuery } from './sign-in-options.ts';

/** Keeps what the page shows in its history entry, instead of in its address. */
const note = (shown: { problem?: string }) =>
  history.replaceState({ ...history.state, ...shown, stays: true }, '', location.pathname + location.search);

async function readOptions(): Promise<void> {
  const { data } = await queries.fetch(signInOptionsQuery);
  if (data?.password_login === false) turnOff('passwords');
  if (data?.registration === 'closed') turnOff('registration');
}

/** Another site can lead here, so the person decides before a session of another account is replaced. @returns undefined if it stays */
async function finish(code: string): Promise<LoginAnswer | undefined> {
  const body = { code, language: mailLanguage };
  try {
    return await finishProviderLogin(body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'OTHER_ACCOUNT_OPEN') throw error;
    const { title, text, yes, no } = texts.switchAccount;
    const question = { title, text: text(session.user()?.username), confirm: yes, cancel: no };
    if (!(await confirm(question, texts.loginFailed))) return undefined;
    return finishProviderLogin({ ...body, switch_account: true });
  }
}

/**
 * Loads the words, and continues a login that has returned from the provider: `#provider=<code>`, with `&claimed` for
 * the first administrator, or `#problem=<code>`.
 */
export async function arrive(): Promise<void> {
  void readOptions();
  const { provider: code, problem, claimed } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  await withWords(claimed === undefined ? [providerWords] : ['later', providerWords], Promise.resolve());
  if (problem !== undefined) note({ problem });
  if (code === undefined) return;
  note({});
  try {
    const answer = await finish(code);
    if (answer === undefined) return navigate(home, { replace: true });
    session.start(answer);
    showSuccess(claimed === undefined ? auth.loginWorked : claim.done);
    navigate(claimed === undefined ? withShare(home, location.search) : adminPath, { replace: true });
  } catch (error) {
    showError(texts.loginFailed, reasonOf(error));
  }
}

/** Whether the login page may redirect to the provider: not after a logout or a failure. */
const mayLead = (): boolean =>
  location.pathname === '/login' && !new URLSearchParams(location.search).has('local') && !history.state?.stays;

/** As a `ref`. */
function follow(link: HTMLAnchorElement | null): void {
  if (link) location.replace(link.href);
}

/** Leads to the provider with the invitation or the claim of the link, whose secret must be in no address. */
function LinkButton({ secret, label }: { secret: string; label: string }) {
  const [busy, start] = useBusy();
  const lead = () =>
    start(async () => {
      try {
        // Replaces the history entry, which contains the secret.
        location.replace(await startProviderRegistration(secret));
      } catch (error) {
        showError(texts.loginFailed, reasonOf(error));
      }
    });
  return (
    <Button variant="line" size="large" className={styles.button} busy={busy} onClick={lead}>
      {label}
    </Button>
  );
}

export interface ProviderSignInProps {
  /** Of an invitation or a claim. */
  linkSecret?: string | undefined;
}

export function ProviderSignIn({ linkSecret }: ProviderSignInProps) {
  const { data: options } = useQuery(signInOptionsQuery);
  const [problem] = useState<string | undefined>(() => history.state?.problem);
  const [leads] = useState(mayLead);
  const offer = options?.provider;
  const problems: Readonly<Record<string, string>> = texts.problems;
  const label = offer?.label ?? texts.logIn;
  return (
    <>
      {problem === undefined ? null : <p role="alert">{problems[problem] ?? problems.failed}</p>}
      {offer && options.password_login ? <p className={styles.or}>{texts.or}</p> : null}
      {offer && linkSecret ? <LinkButton secret={linkSecret} label={label} /> : null}
      {offer && !linkSecret ? (
        <a
          href={providerStart(shareIn(location.search))}
          className={buttonClass(
            { variant: options.password_login ? 'line' : 'primary', size: 'large' },
            styles.button,
          )}
          ref={offer.auto && leads ? follow : undefined}
        >
          {label}
        </a>
      ) : null}
    </>
  );
}
