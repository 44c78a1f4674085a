import { type ComponentType, Suspense, useState } from 'react';
import type { SignInOptions, WaysIn } from '../../server/contract.ts';
import { accountQuery } from '../administration/account-query.ts';
import { changePassword } from '../api/account/account.ts';
import { isPasswordRefusal } from '../api/account/password-refusals.ts';
import { formText } from '../lib/form-text.ts';
import { optionalPart } from '../lib/lazy-part.ts';
import { useQuery } from '../query/use-query.ts';
import { renewing } from '../session/renewing.ts';
import { session } from '../session/session.ts';
import { withLaterWords } from '../text/language.ts';
import { settings as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { showSuccess } from '../ui/toasts/toast.ts';
import { Box } from './box.tsx';
import styles from './form.module.css';
import { useForm } from './use-form.ts';

/** Without its script, the form works all the same. */
const WaysInList = optionalPart(async (): Promise<{ default: ComponentType<{ left: WaysIn }> }> => {
  const part = await withLaterWords(import('./ways-in-list.tsx')).catch(() => null);
  return { default: part?.WaysInList ?? (() => null) };
});

function fieldOf(code: string): string | undefined {
  if (code === 'WRONG_PASSWORD') return 'current';
  return isPasswordRefusal(code) ? 'new' : undefined;
}

interface PasswordBoxProps {
  /** Whether the account has API tokens, which can be kept. */
  hasTokens: boolean;
  /** Called after the change has ended the other sessions. */
  onChanged: () => void;
}

function PasswordForm({ hasTokens, onChanged }: PasswordBoxProps) {
  const [left, setLeft] = useState<WaysIn>();
  const { busy, errors, onSubmit } = useForm({
    fieldOf,
    async submit(form, element) {
      const { ended, ended_tokens, left } = await renewing(() =>
        changePassword({
          current_password: formText(form, 'current'),
          new_password: formText(form, 'new'),
          ...(form.has('keep_tokens') ? { end_tokens: false } : {}),
        }),
      );
      element.reset();
      setLeft(left);
      const endedTokens = ended_tokens > 0 ? texts.password.endedTokens(ended_tokens) : undefined;
      showSuccess(texts.saved, [texts.password.ended(ended), endedTokens].filter(Boolean).join(' ') || undefined);
      onChanged();
    },
  });

  return (
    <form className={styles.form} onSubmit={onSubmit}>
      {/* Shows password managers the account. */}
      <input type="hidden" name="email" autoComplete="username" value={session.user()?.email ?? ''} />
      <div className={styles.two}>
        <PasswordField
          label={texts.password.current}
          name="current"
          autoComplete="current-password"
          error={errors.current}
        />
        <PasswordField
          label={texts.password.new}
          name="new"
          autoComplete="new-password"
          minLength={8}
          maxLength={256}
          hint={texts.password.newHint}
          error={errors.new}
        />
      </div>
      {hasTokens ? (
        <label className={styles.check}>
          <input type="checkbox" name="keep_tokens" />
          {texts.password.keepTokens}
        </label>
      ) : null}
      <div className={styles.row}>
        <Button type="submit" variant="line" busy={busy}>
          {texts.password.change}
        </Button>
      </div>
      {left ? (
        <Suspense>
          <WaysInList left={left} />
        </Suspense>
      ) : (
        <p>{texts.password.note}</p>
      )}
    </form>
  );
}

/** Why there is no password to change; undefined if there is one, or if it is not known yet. */
function useObstacle(options: SignInOptions | undefined): string | undefined {
  const { data: account } = useQuery(accountQuery, true);
  const { turnedOff, none, byMail, byAdmin } = texts.password;
  if (options?.password_login === false) return turnedOff;
  if (account?.has_password !== false || options === undefined) return undefined;
  return `${none} ${options.password_reset ? byMail : byAdmin}`;
}

export function PasswordBox({ options, ...props }: PasswordBoxProps & { options: SignInOptions | undefined }) {
  const obstacle = useObstacle(options);
  return (
    <Box title={texts.password.title} span="wide">
      {obstacle === undefined ? <PasswordForm {...props} /> : <p>{obstacle}</p>}
    </Box>
  );
}
