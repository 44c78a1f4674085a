import { useState } from 'react';
import { useLocation } from 'wouter';
import { isPasswordRefusal } from '../api/account/password-refusals.ts';
import { resetPassword } from '../api/account/password-reset.ts';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { useLinkToken } from '../lib/hooks/use-link-token.ts';
import { logOut } from '../session/log-out.ts';
import { passwords as words } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { TextLink } from '../ui/buttons/text-link.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { showError, showSuccess } from '../ui/toasts/toast.ts';

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
