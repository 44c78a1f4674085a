import { useLocation } from 'wouter';
import { confirmEmail } from '../api/account/account-mail.ts';
import { reasonOf } from '../api/api-error.ts';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { useMailedLink } from '../lib/hooks/use-link-token.ts';
import { loginPath, settingsPath } from '../routes.ts';
import { session } from '../session/session.ts';
import { auth, passwords as words } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { TextLink } from '../ui/buttons/text-link.tsx';
import { showError, showSuccess } from '../ui/toasts/toast.ts';

/** Confirms an email after a click, because mail scanners open every link. */
export default function EmailPage() {
  const [, navigate] = useLocation();
  const [busy, start] = useBusy();
  const { token, isFirst } = useMailedLink();
  const home = session.token() ? settingsPath : loginPath;

  function submit() {
    start(async () => {
      try {
        await confirmEmail({ token });
        showSuccess(words.email.confirmed);
        navigate(home, { replace: true });
      } catch (error) {
        showError(words.email.failed, reasonOf(error));
      }
    });
  }

  return (
    <AuthLayout
      title={words.email.title}
      onSubmit={submit}
      footer={
        <>
          {words.forgot.back} <TextLink href={home}>{session.token() ? words.email.settings : auth.login}</TextLink>
        </>
      }
    >
      {token ? (
        <>
          <p>{words.email.note}</p>
          {isFirst && (
            <>
              <p>{words.email.first}</p>
              <p>
                {words.email.notYours} <TextLink href="/forgot">{words.forgot.title}</TextLink>
              </p>
            </>
          )}
          <Button type="submit" variant="primary" size="large" busy={busy}>
            {words.email.confirm}
          </Button>
        </>
      ) : (
        <p role="status">{words.email.incomplete}</p>
      )}
    </AuthLayout>
  );
}
