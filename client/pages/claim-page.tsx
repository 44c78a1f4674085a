import { useState } from 'react';
import { useLocation } from 'wouter';
import { reasonOf } from '../api/api-error.ts';
import { claimAdmin } from '../api/invite.ts';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { useBusy } from '../lib/use-busy.ts';
import { useLinkToken } from '../lib/use-link-token.ts';
import { adminPath } from '../routes.ts';
import { useToken } from '../session/session.ts';
import { claim as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { showSuccess } from '../ui/toast.ts';

/** Makes the logged-in account the first administrator, by the link that the server printed. */
export default function ClaimPage() {
  const token = useLinkToken();
  const isLoggedIn = useToken() !== null;
  const [, navigate] = useLocation();
  const [busy, start] = useBusy();
  const [refusal, setRefusal] = useState<string>();
  const submit = (): void => {
    setRefusal(undefined);
    start(async () => {
      try {
        await claimAdmin(token);
        showSuccess(texts.done);
        navigate(adminPath);
      } catch (error) {
        setRefusal(reasonOf(error) ?? texts.failed);
      }
    });
  };
  return (
    <AuthLayout
      title={texts.title}
      onSubmit={submit}
      footer={isLoggedIn ? null : <TextLink href="/login">{texts.logIn}</TextLink>}
    >
      <p>{isLoggedIn ? texts.text : texts.needsAccount}</p>
      <p role="alert">{refusal}</p>
      {isLoggedIn ? (
        <Button type="submit" variant="primary" size="large" busy={busy}>
          {texts.become}
        </Button>
      ) : (
        <TextLink href={`/register#token=${token}`}>{texts.register}</TextLink>
      )}
    </AuthLayout>
  );
}
