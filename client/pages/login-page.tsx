import { useLocation } from 'wouter';
import { reasonOf } from '../api/api-error.ts';
import { login } from '../api/auth.ts';
import styles from '../layout/auth-layout.module.css';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/use-busy.ts';
import { session } from '../session/session.ts';
import { texts } from '../text/auth.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { showError, showSuccess } from '../ui/toast.tsx';
import { preloadHome } from './loaders.ts';

export function LoginPage() {
  const [, navigate] = useLocation();
  const [busy, start] = useBusy();

  function submit(form: FormData) {
    start(async () => {
      preloadHome();
      try {
        session.start(await login({ email: formText(form, 'email'), password: formText(form, 'password') }));
        showSuccess(texts.loginWorked);
        navigate('/dashboard/upload');
      } catch (error) {
        showError(texts.loginFailed, reasonOf(error));
      }
    });
  }

  return (
    <AuthLayout
      title={texts.login}
      onSubmit={submit}
      footer={
        <>
          {texts.noAccount} <TextLink href="/register">{texts.signUp}</TextLink>
        </>
      }
    >
      <Field label={texts.email} type="email" name="email" required autoComplete="username" dir="ltr" />
      <PasswordField autoComplete="current-password" />
      {/* Leads nowhere until there is a way to reset a password. */}
      <TextLink href="/login" replace className={styles.aside}>
        {texts.forgotPassword}
      </TextLink>
      <Button type="submit" variant="primary" size="large" busy={busy}>
        {texts.login}
      </Button>
    </AuthLayout>
  );
}
