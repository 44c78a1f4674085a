import { useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { isPasswordRefusal } from '../api/password-refusals.ts';
import { resetPassword } from '../api/password-reset.ts';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/use-busy.ts';
import { useLinkToken } from '../lib/use-link-token.ts';
import { logOut } from '../session/log-out.ts';
import { passwords as words } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { showError, showSuccess } from '../ui/toast.ts';

export default function ResetPage() {
  const [, navigate] = useLocation();
  const [busy, start] = useBusy();
  const token = useLinkToken();
  const [error, setError] = useState<string>();

  function submit(form: FormData) {
    start(async () => {
      // The error is that of the last try.
      setError(undefined);
      try {
        await resetPassword({ token, password: formText(form, 'password') });
        // Ends any session in this browser; it may belong to another account.
        logOut();
        showSuccess(words.reset.saved);
        navigate('/login', { replace: true });
      } catch (error) {
        if (error instanceof ApiError && isPasswordRefusal(error.code)) setError(reasonOf(error));
        else showError(words.reset.failed, reasonOf(error));
      }
    });
  }

  return (
    <AuthLayout
      title={words.reset.title}
      onSubmit={submit}
      footer={<TextLink href="/forgot">{words.reset.again}</TextLink>}
    >
      {token ? (
        <>
          <PasswordField
            label={words.reset.new}
            autoComplete="new-password"
            minLength={8}
            maxLength={256}
            hint={words.reset.hint}
            error={error}
          />
          <Button type="submit" variant="primary" size="large" busy={busy}>
            {words.reset.save}
          </Button>
        </>
      ) : (
        <p role="status">{words.reset.incomplete}</p>
      )}
    </AuthLayout>
  );
}
