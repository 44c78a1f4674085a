import { useLocation } from 'wouter';
import { accountQuery } from '../../administration/account-query.ts';
import { deleteAccount } from '../../api/account/account.ts';
import { formText } from '../../lib/form-text.ts';
import { useQuery } from '../../query/use-query.ts';
import { endSession } from '../../session/log-out.ts';
import { session } from '../../session/session.ts';
import { settings as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { showSuccess } from '../../ui/toasts/toast.ts';
import { proveAlone } from '../factors/prove-alone.ts';
import form from '../form.module.css';
import { useForm } from '../use-form.ts';

interface DeletionDialogProps {
  /** What will be deleted, in words. */
  held: string;
  onClose: () => void;
}

/** Asks for the password, or for a passkey where there is none, and deletes the account. */
export default function DeletionDialog({ held, onClose }: DeletionDialogProps) {
  const [, navigate] = useLocation();
  const hasPassword = useQuery(accountQuery).data?.password_proof !== false;
  const { busy, errors, onSubmit } = useForm({
    fieldOf: (code) => (code === 'WRONG_PASSWORD' ? 'password' : undefined),
    failed: () => texts.deletion.failed,
    async submit(form) {
      await deleteAccount(
        form.has('password') ? { password: formText(form, 'password') } : { proof: await proveAlone() },
      );
      endSession();
      navigate('/login');
      showSuccess(texts.deletion.done);
    },
  });
  return (
    <Dialog title={texts.deletion.ask} onClose={onClose}>
      <p>{texts.deletion.text(held)}</p>
      <form className={form.form} onSubmit={onSubmit}>
        <input type="hidden" name="email" autoComplete="username" value={session.user()?.email ?? ''} />
        {hasPassword ? (
          <PasswordField label={texts.deletion.password} autoComplete="current-password" error={errors.password} />
        ) : null}
        <div className={form.answers}>
          <Button onClick={onClose}>{texts.deletion.cancel}</Button>
          <Button type="submit" variant="danger" busy={busy}>
            {texts.deletion.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
