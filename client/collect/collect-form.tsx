import { type FormEvent, useState } from 'react';
import type { CollectLink } from '../../server/contract.ts';
import { isPasswordRefusal } from '../api/account/password-refusals.ts';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { isEndMissing } from '../image/shares/share-choice.ts';
import { End, Password, Submit, Title } from '../image/shares/share-fields.tsx';
import styles from '../image/shares/shares.module.css';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { preview, links as texts } from '../text/words.ts';
import { Field } from '../ui/fields/field.tsx';
import { type CollectChoice, switches } from './collect-choice.ts';

interface Refusal {
  readonly field: 'end' | 'password' | undefined;
  readonly text: string;
}

interface CollectFormProps {
  initial: CollectChoice;
  /** The link that is edited. */
  before?: CollectLink;
  /** The word of the button that saves. */
  save: string;
  /** Rejects if the server refuses; the form stays open then. */
  onSave: (choice: CollectChoice) => Promise<unknown>;
  onCancel: () => void;
}

/** The settings of a collect link. */
export function CollectForm({ initial, before, save, onSave, onCancel }: CollectFormProps) {
  const { form: words } = texts.collect;
  const [choice, setChoice] = useState(initial);
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, start] = useBusy();
  const change = (changed: Partial<CollectChoice>): void => {
    setChoice({ ...choice, ...changed });
    setRefusal(undefined);
  };
  const part = {
    ...{ choice, onChange: change },
    errorOf: (field: string) => (refusal?.field === field ? refusal.text : undefined),
  };
  async function send(): Promise<void> {
    try {
      await onSave(choice);
    } catch (error) {
      const isPassword = choice.password !== '' && error instanceof ApiError && isPasswordRefusal(error.code);
      setRefusal({ field: isPassword ? 'password' : undefined, text: reasonOf(error) ?? texts.failed });
    }
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    setRefusal(undefined);
    if (isEndMissing(choice, before, Date.now())) setRefusal({ field: 'end', text: preview.expiry.outOfRange });
    else void start(send);
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <Title name={choice.name} hint={words.nameHint} onChange={change} />
      <fieldset className={styles.switches}>
        <legend>{words.guests}</legend>
        {switches.map((name) => (
          <label key={name} className={styles.check}>
            <input
              type="checkbox"
              checked={choice[name]}
              onChange={({ target }) => change({ [name]: target.checked })}
            />
            {words[name]}
          </label>
        ))}
      </fieldset>
      <End {...part} />
      <Password {...part} before={before} />
      <div className={styles.two}>
        <Field
          type="number"
          label={words.maxFiles}
          value={choice.maxFiles}
          required
          min={1}
          max={10_000}
          onChange={({ target }) => change({ maxFiles: target.value })}
        />
        <Field
          type="number"
          label={words.maxGigabytes}
          value={choice.maxGigabytes}
          required
          min={0.001}
          max={1000}
          step="any"
          onChange={({ target }) => change({ maxGigabytes: target.value })}
        />
      </div>
      <p className={styles.note}>{words.quota}</p>
      <Submit
        refusal={refusal?.field === undefined ? refusal?.text : undefined}
        save={save}
        busy={busy}
        onCancel={onCancel}
      />
    </form>
  );
}
