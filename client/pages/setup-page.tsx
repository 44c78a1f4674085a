/** Makes the first administrator, by the setup token or by the link that the server printed (`/claim#token=…`). */
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { claimAdmin } from '../api/account/invite.ts';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { inviteQuery, signInOptionsQuery } from '../layout/sign-in-options.ts';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { useLinkToken } from '../lib/hooks/use-link-token.ts';
import { queries } from '../query/queries.ts';
import { useQuery } from '../query/use-query.ts';
import { adminPath, home, loginPath } from '../routes.ts';
import { useToken } from '../session/session.ts';
import { notFound, claim as texts } from '../text/words.ts';
import { Button, ButtonLink } from '../ui/buttons/button.tsx';
import { TextLink } from '../ui/buttons/text-link.tsx';
import { Field } from '../ui/fields/field.tsx';
import { showSuccess } from '../ui/toasts/toast.ts';
import styles from './setup-page.module.css';

/** Whether someone has become the administrator meanwhile. */
const askAgain = (): void => queries.invalidate(signInOptionsQuery.key);

const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status === 403;

/** What the link allows: undefined until it is known. */
function useClaim(token: string): { isAccepted: boolean; problem?: string | undefined } | undefined {
  const { data, error } = useQuery(token === '' ? null : inviteQuery(token));
  if (token === '') return { isAccepted: false };
  if (data?.makes_admin) return { isAccepted: true };
  if (data || isRefusal(error)) return { isAccepted: false, problem: texts.dead };
  return error === undefined ? undefined : { isAccepted: false, problem: reasonOf(error) };
}

interface TokenFormProps {
  /** Why the link that led here was refused. */
  problem: string | undefined;
  /** Makes an account the administrator too. */
  command: string | undefined;
  footer: ReactNode;
  onAccepted: (token: string) => void;
}

function TokenForm({ problem, command, footer, onAccepted }: TokenFormProps) {
  const [busy, start] = useBusy();
  const [refusal, setRefusal] = useState<string>();
  const submit = (form: FormData): void => {
    setRefusal(undefined);
    start(async () => {
      const token = formText(form, 'token').trim();
      const { data, error } = await queries.fetch(inviteQuery(token));
      if (data?.makes_admin) return onAccepted(token);
      setRefusal(data || isRefusal(error) ? texts.wrongToken : (reasonOf(error) ?? texts.failed));
      askAgain();
    });
  };
  return (
    <AuthLayout title={texts.title} onSubmit={submit} footer={footer}>
      {problem === undefined ? <p>{texts.enterToken}</p> : <p role="alert">{problem}</p>}
      <Field
        label={texts.token}
        name="token"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        hint={texts.tokenHint}
        error={refusal}
      />
      <Button type="submit" variant="primary" size="large" busy={busy}>
        {texts.next}
      </Button>
      {command === undefined ? null : (
        <p className={styles.command}>
          {texts.byCommand} <code dir="ltr">{command}</code>
        </p>
      )}
    </AuthLayout>
  );
}

/** For a token that the server accepts. */
function ClaimForm({ token, isLoggedIn }: { token: string; isLoggedIn: boolean }) {
  const [, navigate] = useLocation();
  const [busy, start] = useBusy();
  const [refusal, setRefusal] = useState<string>();
  const submit = (): void => {
    setRefusal(undefined);
    start(async () => {
      try {
        await claimAdmin(token);
        showSuccess(texts.done);
        navigate(adminPath, { replace: true });
      } catch (error) {
        setRefusal(reasonOf(error) ?? texts.failed);
        askAgain();
      }
    });
  };
  const hash = `#token=${encodeURIComponent(token)}`;
  return (
    <AuthLayout
      title={texts.title}
      onSubmit={submit}
      footer={isLoggedIn ? null : <TextLink href={loginPath + hash}>{texts.logIn}</TextLink>}
    >
      <p>{isLoggedIn ? texts.text : texts.needsAccount}</p>
      {isLoggedIn ? (
        <>
          <p role="alert">{refusal}</p>
          <Button type="submit" variant="primary" size="large" busy={busy}>
            {texts.become}
          </Button>
        </>
      ) : (
        <ButtonLink href={`/register${hash}`} variant="primary" size="large">
          {texts.register}
        </ButtonLink>
      )}
    </AuthLayout>
  );
}

export default function SetupPage() {
  const linkToken = useLinkToken();
  const [typed, setTyped] = useState('');
  const link = useClaim(typed === '' ? linkToken : '');
  const { data: options, error } = useQuery(signInOptionsQuery);
  const isLoggedIn = useToken() !== null;
  const footer = isLoggedIn ? (
    <TextLink href={home}>{notFound.goHome}</TextLink>
  ) : (
    <TextLink href={loginPath}>{texts.logIn}</TextLink>
  );
  const isKnown = link !== undefined && (options !== undefined || error !== undefined);
  if (isKnown && options?.setup !== null) {
    const token = typed || (link.isAccepted ? linkToken : '');
    if (token !== '') return <ClaimForm key={token} token={token} isLoggedIn={isLoggedIn} />;
    const { problem } = link;
    return <TokenForm problem={problem} command={options?.setup.command} footer={footer} onAccepted={setTyped} />;
  }
  return (
    <AuthLayout title={texts.title} onSubmit={() => {}} footer={footer}>
      <p role="status">{isKnown ? texts.hasAdmin : texts.checking}</p>
    </AuthLayout>
  );
}
