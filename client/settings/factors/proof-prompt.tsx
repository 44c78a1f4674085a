import { accountQuery } from '../../administration/account-query.ts';
import { prove } from '../../api/factors.ts';
import { formText } from '../../lib/form-text.ts';
import { useQuery } from '../../query/use-query.ts';
import { session } from '../../session/session.ts';
import { factors as texts } from '../../text/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import form from '../form.module.css';
import { useForm } from '../use-form.ts';
import { proveAlone } from './prove-alone.ts';

interface ProofPromptProps {
  /** Rejects if the server refuses what the proof is for. */
  onProof: (proof: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the password, or for a passkey where there is none, before what a stolen session must not do. */
export function ProofPrompt({ onProof, onClose }: ProofPromptProps) {
  const hasPassword = useQuery(accountQuery).data?.has_password !== false;
  const { busy, errors, onSubmit } = useForm({
    fieldOf: (code) => (code === 'WRONG_PASSWORD' ? 'password' : undefined),
    failed: () => texts.failed,
    submit: async (fields) =>
      onProof(fields.has('password') ? await prove({ password: formText(fields, 'password') }) : await proveAlone()),
  });
  return (
    <Dialog title={texts.proof.title} onClose={onClose}>
      <form className={form.form} onSubmit={onSubmit}>
        <input type="hidden" name="email" autoComplete="username" value={session.user()?.email ?? ''} />
        {hasPassword ? (
          <PasswordField label={texts.proof.password} autoComplete="current-password" error={errors.password} />
        ) : (
          <p>{texts.proof.recent}</p>
        )}
        <div className={form.answers}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {texts.proof.next}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
