import { type MouseEvent, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { reasonOf } from '../api/api-error.ts';
import { login } from '../api/auth.ts';
import styles from '../layout/auth-layout.module.css';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/use-busy.ts';
import { home } from '../routes.ts';
import { withShare } from '../session/guard.tsx';
import { session } from '../session/session.ts';
import { mailLanguage, auth as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { showError, showSuccess } from '../ui/toast.ts';

/** What the registration passes on: the email of the account that was just created, and of one that waits for approval. */
const justRegistered = (): { registered?: string; waiting?: string } => ({ ...history.state });

export default function LoginPage() {
  const [, navigate] = useLocation();
  const target = withShare(home, useSearch());
  const [busy, start] = useBusy();
  const [{ registered, waiting }] = useState(justRegistered);

  function submit(form: FormData) {
    start(async () => {
      try {
        const [email, password] = [formText(form, 'email'), formText(form, 'password')];
        session.start(await login({ email, password, language: mailLanguage }));
        showSuccess(texts.loginWorked);
        navigate(target);
      } catch (error) {
        showError(texts.loginFailed, reasonOf(error));
      }
    });
  }

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
    <AuthLayout
      title={texts.login}
      offersProvider
      onSubmit={submit}
      footer={
        <>
          {texts.noAccount} <TextLink href="/register">{texts.signUp}</TextLink>
        </>
      }
    >
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
    </AuthLayout>
  );
}
