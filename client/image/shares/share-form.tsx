import type { ReactNode } from 'react';
import { links as texts } from '../../text/words.ts';
import { hasOriginals, isProtected, switches } from './share-choice.ts';
import { End, Password, ShortName, Submit, Title } from './share-fields.tsx';
import styles from './shares.module.css';
import { type FieldName, type ShareFormParts, useShareForm } from './use-share-form.ts';

interface ShareFormProps extends ShareFormParts {
  /** The word of the button that saves. */
  save: string;
  onCancel: () => void;
  /** Follows the password, if there is one. */
  warning?: ReactNode;
}

/** The settings of a share. */
export function ShareForm({ save, onCancel, warning, ...parts }: ShareFormProps) {
  const words = texts.shares.form;
  const { before } = parts;
  const { form, choice, change, refusal, busy, submit } = useShareForm(parts);
  const errorOf = (field: FieldName) => (refusal?.field === field ? refusal.text : undefined);
  const part = { choice, before, onChange: change, errorOf };
  return (
    <form ref={form} className={styles.form} onSubmit={submit}>
      <Title name={choice.name} hint={words.nameHint} onChange={change} />
      <Password {...part} />
      {isProtected(choice, before) ? warning : null}
      <End {...part} />
      <fieldset className={styles.switches}>
        <legend>{words.visitors}</legend>
        {switches.map((name) => (
          <label key={name} className={styles.check}>
            <input
              type="checkbox"
              checked={name === 'originals' ? hasOriginals(choice) : choice[name]}
              disabled={name === 'originals' && !choice.details}
              onChange={({ target }) => change({ [name]: target.checked })}
            />
            {words[name]}
          </label>
        ))}
        {hasOriginals(choice) ? null : (
          <p className={styles.note}>{choice.details ? words.renditions : words.withoutDetails}</p>
        )}
      </fieldset>
      <ShortName {...part} />
      <Submit
        refusal={refusal?.field === undefined ? refusal?.text : undefined}
        save={save}
        busy={busy}
        onCancel={onCancel}
      />
    </form>
  );
}
