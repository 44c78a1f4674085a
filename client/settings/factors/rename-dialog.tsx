import type { Passkey } from '../../../server/contract.ts';
import { renamePasskey } from '../../api/account/factors.ts';
import { formText } from '../../lib/form-text.ts';
import { factors as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { showSuccess } from '../../ui/toasts/toast.ts';
import form from '../form.module.css';
import { useForm } from '../use-form.ts';
import { changingFactors } from './use-factors.ts';

export function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const words = texts.passkeys;
  const { busy, errors, onSubmit } = useForm({
    fieldOf: (code) => (code === 'INVALID_REQUEST' ? 'name' : undefined),
    failed: () => texts.failed,
    async submit(form) {
      await changingFactors(() => renamePasskey(passkey.id, formText(form, 'name')));
      showSuccess(words.renamed);
      onClose();
    },
  });
  return (
    <Dialog title={words.renameNamed(passkey.name)} onClose={onClose}>
      <form className={form.form} onSubmit={onSubmit}>
        <Field label={words.name} name="name" required maxLength={64} defaultValue={passkey.name} error={errors.name} />
        <div className={form.answers}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
