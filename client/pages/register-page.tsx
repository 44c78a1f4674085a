import { useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { register } from '../api/auth.ts';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/use-busy.ts';
import { auth as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { showError, showSuccess } from '../ui/toast.ts';

/** Error codes about the password alone. */
const weakPassword: ReadonlySet<string> = new Set(['COMMON_PASSWORD', 'PASSWORD_IS_NAME']);

export default function RegisterPage() {
  const [, navigate] = useLocation();
  const [busy, start] = useBusy();
  const [passwordError, setPasswordError] = useState<string>();

  function submit(form: FormData) {
    setPasswordError(undefined);
    start(async () => {
      try {
        const email = formText(form, 'email');
        await register({ username: formText(form, 'username'), email, password: formText(form, 'password') });
        showSuccess(texts.registrationWorked);
        navigate('/login', { state: { registered: email } });
      } catch (error) {
        const reason = reasonOf(error);
        if (error instanceof ApiError && weakPassword.has(error.code)) setPasswordError(reason);
        showError(texts.registrationFailed, reason);
      }
    });
  }

  return (
    <AuthLayout
      title={texts.register}
      offersProvider
      onSubmit={submit}
      footer={
        <>
          {texts.haveAccount} <TextLink href="/login">{texts.login}</TextLink>
        </>
      }
    >
      <Field
        label={texts.username}
        name="username"
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
      />
      <Field label={texts.email} type="email" name="email" required autoComplete="email" dir="ltr" />
      <PasswordField autoComplete="new-password" error={passwordError} />
      <Button type="submit" variant="primary" size="large" busy={busy}>
        {texts.register}
      </Button>
    </AuthLayout>
  );
}
