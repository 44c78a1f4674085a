import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ResetOffer, WaysIn } from '../../server/contract.ts';
import { isPasswordRefusal } from '../api/account/password-refusals.ts';
import { readReset, resetPassword } from '../api/account/password-reset.ts';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { AuthLayout } from '../layout/auth-layout.tsx';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { useLinkToken } from '../lib/hooks/use-link-token.ts';
import type { Query } from '../query/query.ts';
import { useQuery } from '../query/use-query.ts';
import { logOut } from '../session/log-out.ts';
import styles from '../settings/form.module.css';
import { WaysInList } from '../settings/ways-in-list.tsx';
import { passwords as words } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { TextLink } from '../ui/buttons/text-link.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { showError, showSuccess } from '../ui/toasts/toast.ts';

const offerQuery = (token: string): Query<ResetOffer> => ({
  key: ['reset', token],
  load: (signal) => readReset(token, signal),
});

const isSomething = (left: WaysIn): boolean =>
  left.authenticator_app ||
  [left.api_tokens, left.passkeys, left.identities, left.collect_links].some((some) => some.length > 0);

/** What is left of the ways in after the new password. */
function leftOf({ confirms, ways_in: before }: ResetOffer, keepsTokens: boolean): WaysIn {
  const none = { api_tokens: [], passkeys: [], identities: [], authenticator_app: false, collect_links: [] };
  if (confirms) return none;
  return keepsTokens ? before : { ...before, api_tokens: [] };
}

export default function ResetPage() {
  const [, navigate] = useLocation();
  const [busy, start] = useBusy();
  const token = useLinkToken();
  const [error, setError] = useState<string>();
  const { data: offer } = useQuery(token === '' ? null : offerQuery(token));
  const [left, setLeft] = useState<WaysIn>();

  function submit(form: FormData) {
    start(async () => {
      // The error is that of the last try.
      setError(undefined);
      try {
        const keepsTokens = form.has('keep_tokens');
        const password = formText(form, 'password');
        await resetPassword({ token, password, ...(keepsTokens ? { end_tokens: false } : {}) });
        // Ends any session in this browser; it may belong to another account.
        logOut();
        showSuccess(words.reset.saved);
        const remaining = offer && leftOf(offer, keepsTokens);
        if (remaining && isSomething(remaining)) setLeft(remaining);
        else navigate('/login', { replace: true });
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
      {left ? (
        <>
          <WaysInList left={left} />
          <TextLink href="/login">{words.reset.logIn}</TextLink>
        </>
      ) : token ? (
        <>
          {offer?.confirms ? <p>{words.reset.confirms}</p> : null}
          <PasswordField
            label={words.reset.new}
            autoComplete="new-password"
            minLength={8}
            maxLength={256}
            hint={words.reset.hint}
            error={error}
          />
          {offer && !offer.confirms && offer.ways_in.api_tokens.length > 0 ? (
            <label className={styles.check}>
              <input type="checkbox" name="keep_tokens" />
              {words.reset.keepTokens}
            </label>
          ) : null}
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
