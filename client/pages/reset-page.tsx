import { useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { resetPassword } from '../api/password-reset.ts';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/use-busy.ts';
import { logOut } from '../session/log-out.ts';
import { texts } from '../text/auth.ts';
import { Button } from '../ui/button.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { showError, showSuccess } from '../ui/toast.tsx';

/** The secret of the mail's link. It leaves the address bar with the first look, so that nobody copies or bookmarks it. */
function takeToken(): string {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '';
  if (token) window.history.replaceState(window.history.state, '', window.location.pathname);
  return token;
}

export function ResetPage() {
  const [, navigate] = useLocation();
  const [busy, start] = useBusy();
  const [token] = useState(takeToken);
  const [error, setError] = useState<string>();

  function submit(form: FormData) {
    start(async () => {
      try {
        await resetPassword({ token, password: formText(form, 'password') });
        // Whoever was logged in here is not any more; it may be somebody else than the password is of.
        logOut();
        showSuccess(texts.reset.saved);
        navigate('/login');
      } catch (error) {
        const isPassword = error instanceof ApiError && error.code === 'INVALID_REQUEST';
        if (isPassword) setError(reasonOf(error));
        else showError(texts.reset.failed, reasonOf(error));
      }
    });
  }

  return (
    <AuthLayout
      title={texts.reset.title}
      onSubmit={submit}
      footer={<TextLink href="/forgot">{texts.reset.again}</TextLink>}
    >
      {token ? (
        <>
          <PasswordField
            label={texts.reset.new}
            autoComplete="new-password"
            minLength={8}
            maxLength={256}
            hint={texts.reset.hint}
            error={error}
          />
          <Button type="submit" variant="primary" size="large" busy={busy}>
            {texts.reset.save}
          </Button>
        </>
      ) : (
        <p role="status">{texts.reset.incomplete}</p>
      )}
    </AuthLayout>
  );
}
