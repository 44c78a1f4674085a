import { type MouseEvent, Suspense, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { LoginAnswer, SecondFactorStep } from '../../server/contract.ts';
import { login } from '../api/account/auth.ts';
import { ApiError, reasonOf } from '../api/api-error.ts';
import styles from '../layout/auth-layout.module.css';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { usePasswordLogin, useRegistration } from '../layout/password-login.ts';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { useLinkToken } from '../lib/hooks/use-link-token.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { home } from '../routes.ts';
import { withShare } from '../session/guard.tsx';
import { session } from '../session/session.ts';
import { factorsWords } from '../text/factors-words.ts';
import { withWords } from '../text/language.ts';
import { mailLanguage, auth as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { TextLink } from '../ui/buttons/text-link.tsx';
import { Field } from '../ui/fields/field.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { showError, showSuccess } from '../ui/toasts/toast.ts';

/** What the registration passes on: the email of the account that was just created, or of one that waits for approval. */
interface JustRegistered {
  registered?: string;
  waiting?: string;
}

function justRegistered(): JustRegistered {
  const { registered, waiting } = history.state ?? {};
  return { registered, waiting };
}

/** Error codes of an account that cannot log in, although its password is right. */
const notAdmitted: ReadonlySet<string> = new Set(['ACCOUNT_PENDING', 'ACCOUNT_DISABLED']);

const otherLogins = () => withWords([factorsWords], import('./other-logins.ts'));

const SecondStep = lazyPart(async () => ({ default: (await otherLogins()).SecondStep }));

/** Browsers have no passkeys on pages that came by plain http, and none work at an IP address. */
const offersPasskey = () => 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname);

function PasskeyButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  // Without passwords, the provider's button is the first way in.
  const isFirst = usePasswordLogin();
  if (!offersPasskey()) return null;
  return (
    <Button variant={isFirst ? 'quiet' : 'line'} size="large" aria-disabled={busy || undefined} onClick={onClick}>
      {texts.passkey}
    </Button>
  );
}

/** The first step: email and password. */
function PasswordFields({ registered, waiting, busy }: JustRegistered & { busy: boolean }) {
  const [, navigate] = useLocation();
  /** Opens the reset page if the server mails links for it; asks the server only on this click. */
  async function leadToReset(event: MouseEvent) {
    event.preventDefault();
    try {
      const { mailsPasswordResets } = await import('../layout/sign-in-options.ts');
      if (await mailsPasswordResets()) navigate('/forgot');
    } catch (error) {
      showError(reasonOf(error) ?? texts.forgotFailed);
    }
  }
  return (
    <>
      {registered === undefined ? null : <p>{texts.accountCreated}</p>}
      {waiting === undefined ? null : <p>{texts.accountWaits}</p>}
      <Field
        label={texts.email}
        type="email"
        name="email"
        required
        autoComplete="username"
        dir="ltr"
        defaultValue={registered ?? waiting}
      />
      <PasswordField autoComplete="current-password" />
      <TextLink href="/login" className={styles.aside} onClick={(event) => void leadToReset(event)}>
        {texts.forgotPassword}
      </TextLink>
      <Button type="submit" variant="primary" size="large" busy={busy}>
        {texts.login}
      </Button>
    </>
  );
}

export default function LoginPage() {
  const [, navigate] = useLocation();
  const target = withShare(home, useSearch());
  const [busy, start] = useBusy();
  const [passedOn] = useState(justRegistered);
  const [step, setStep] = useState<SecondFactorStep>();
  const offersSignUp = useRegistration();
  /** Of the first administrator, whose account exists already (setup-page.tsx). */
  const setupToken = useLinkToken();

  const open = async (call: () => Promise<LoginAnswer>) => {
    session.start(await call());
    showSuccess(texts.loginWorked);
    if (setupToken === '') navigate(target);
    else navigate(`/setup#token=${encodeURIComponent(setupToken)}`, { replace: true });
  };

  function submit(form: FormData) {
    // The second step has its own button.
    if (step) return;
    start(async () => {
      try {
        const [email, password] = [formText(form, 'email'), formText(form, 'password')];
        await open(() => login({ email, password, language: mailLanguage }));
      } catch (error) {
        const code = error instanceof ApiError ? error.code : '';
        if (error instanceof ApiError && code === 'SECOND_FACTOR_NEEDED') {
          setStep((await otherLogins()).nextStepOf(error));
        } else showError(notAdmitted.has(code) ? texts.notAdmitted : texts.loginFailed, reasonOf(error));
      }
    });
  }

  /** Runs a login that is not by a password alone. */
  function finish(call: (logins: Awaited<ReturnType<typeof otherLogins>>) => Promise<LoginAnswer>) {
    start(async () => {
      try {
        const logins = await otherLogins();
        await open(() => call(logins)).catch((error) => {
          logins.reportFailure(error);
          if (error instanceof ApiError && error.code === 'LOGIN_STEP_ENDED') setStep(undefined);
        });
      } catch (error) {
        showError(texts.loginFailed, reasonOf(error));
      }
    });
  }

  return (
    <AuthLayout
      title={step ? texts.secondStep : texts.login}
      offersProvider={!step}
      linkSecret={setupToken || undefined}
      besides={
        step ? null : <PasskeyButton busy={busy} onClick={() => finish((logins) => logins.logInWithPasskey())} />
      }
      onSubmit={submit}
      footer={
        offersSignUp && !step ? (
          <>
            {texts.noAccount} <TextLink href="/register">{texts.signUp}</TextLink>
          </>
        ) : null
      }
    >
      {step ? (
        <Suspense>
          <SecondStep step={step} busy={busy} finish={finish} onBack={() => setStep(undefined)} />
        </Suspense>
      ) : (
        <PasswordFields {...passedOn} busy={busy} />
      )}
    </AuthLayout>
  );
}
