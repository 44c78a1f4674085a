import { useState } from 'react';
import { useLocation } from 'wouter';
import { claimAdmin } from '../api/account/invite.ts';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { inviteQuery } from '../layout/sign-in-options.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { useLinkToken } from '../lib/hooks/use-link-token.ts';
import { useQuery } from '../query/use-query.ts';
import { adminPath } from '../routes.ts';
import { useToken } from '../session/session.ts';
import { claim as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { TextLink } from '../ui/buttons/text-link.tsx';
import { showSuccess } from '../ui/toasts/toast.ts';

/** What the link allows: undefined until it is known. */
function useClaim(token: string): { isAccepted: boolean; refusal?: string | undefined } | undefined {
  const { data, error } = useQuery(token === '' ? null : inviteQuery(token));
  if (data) return { isAccepted: data.makes_admin };
  if (token === '' || (error instanceof ApiError && error.status === 403)) return { isAccepted: false };
  return error === undefined ? undefined : { isAccepted: false, refusal: reasonOf(error) };
}

/** Makes the logged-in account the first administrator, by the link that the server printed. */
export default function ClaimPage() {
  const token = useLinkToken();
  const known = useClaim(token);
  const isLoggedIn = useToken() !== null;
  const [, navigate] = useLocation();
  const [busy, start] = useBusy();
  /** Of the secret that was refused. */
  const [refused, setRefused] = useState<{ token: string; reason: string }>();
  const submit = (): void => {
    setRefused(undefined);
    start(async () => {
      try {
        await claimAdmin(token);
        showSuccess(texts.done);
        navigate(adminPath, { replace: true });
      } catch (error) {
        setRefused({ token, reason: reasonOf(error) ?? texts.failed });
      }
    });
  };
  const isAccepted = known?.isAccepted === true;
  const problem = known === undefined || isAccepted ? undefined : (known.refusal ?? texts.dead);
  return (
    <AuthLayout
      title={texts.title}
      onSubmit={submit}
      footer={isLoggedIn ? null : <TextLink href="/login">{texts.logIn}</TextLink>}
    >
      {known === undefined ? <p role="status">{texts.checking}</p> : null}
      {isAccepted ? <p>{isLoggedIn ? texts.text : texts.needsAccount}</p> : null}
      <p role="alert">{refused?.token === token ? refused.reason : problem}</p>
      {isAccepted && isLoggedIn ? (
        <Button type="submit" variant="primary" size="large" busy={busy}>
          {texts.become}
        </Button>
      ) : null}
      {isAccepted && !isLoggedIn ? <TextLink href={`/register#token=${token}`}>{texts.register}</TextLink> : null}
    </AuthLayout>
  );
}
