import { type KeyboardEvent, useRef, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { focusAfter, focusOnMount } from '../../lib/focus.ts';
import { formatMoment } from '../../text/format-moment.ts';
import { finding, preview } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import textButton from '../../ui/buttons/text-button.module.css';
import panel from '../preview/preview-panel.module.css';
import styles from './expiry-editor.module.css';
import { ExpiryFields } from './expiry-fields.tsx';
import { describeEnd } from './time-left.ts';
import { useExpiryForm } from './use-expiry-form.ts';
import { useTimeLeft } from './use-time-left.ts';

interface ExpiryFormProps {
  image: Image;
  onClose: () => void;
}

/** The form. It saves only on Save: a stray key in the list of choices must not delete an image later. */
function ExpiryForm({ image, onClose }: ExpiryFormProps) {
  const { expiry } = preview;
  const { save, cancel } = finding.edit;
  const { chosen, choose, submit, refusal, isOutOfRange, busy, dateField } = useExpiryForm(image, onClose);
  // Keeps key presses in the form from reaching the overlay's shortcuts. Esc closes only the form.
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose();
  };
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)} onKeyDown={onKeyDown}>
      <ExpiryFields
        end={chosen}
        onChange={choose}
        words={{ forever: expiry.forever, until: expiry.ends }}
        error={isOutOfRange ? expiry.outOfRange : undefined}
        height="small"
        first={focusOnMount}
        date={dateField}
      />
      <p role="alert" className={styles.error}>
        {refusal}
      </p>
      <div className={styles.buttons}>
        <Button type="submit" variant="quiet" busy={busy}>
          {save}
        </Button>
        <Button variant="ghost" onClick={onClose}>
          {cancel}
        </Button>
      </div>
    </form>
  );
}

function End({ end, left }: { end: string; left: number }) {
  const note = left === 0 ? preview.expiry.expired : describeEnd(end, left).near;
  return (
    <>
      <time dateTime={end}>{formatMoment(end)}</time>
      {note === undefined ? null : <span className={styles.note}>{note}</span>}
    </>
  );
}

/** Shows and changes when an image expires. */
export function ExpiryEditor({ image }: { image: Image }) {
  const { id, expires_at: end } = image;
  const { expiry } = preview;
  const left = useTimeLeft(end);
  const [editedId, setEditedId] = useState<string>();
  const opener = useRef<HTMLButtonElement>(null);
  const close = (): void =>
    focusAfter(
      () => setEditedId(undefined),
      () => opener.current,
    );
  const isExpired = left === 0;
  if (editedId === id && !isExpired) return <ExpiryForm key={id} image={image} onClose={close} />;
  return (
    <dl className={`${panel.facts} ${styles.shown}`}>
      <div>
        <dt>{expiry.label}</dt>
        <dd className={`num ${styles.value}`}>
          {end === null ? expiry.never : <End end={end} left={left} />}
          {isExpired ? null : (
            <button
              type="button"
              ref={opener}
              className={textButton.button}
              aria-label={expiry.changeNamed}
              onClick={() => setEditedId(id)}
            >
              {expiry.change}
            </button>
          )}
        </dd>
      </div>
    </dl>
  );
}
