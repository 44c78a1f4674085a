import { Pencil } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { reasonOf } from '../../api/api-error.ts';
import { focusAfter, focusOnMount } from '../../lib/focus.ts';
import { finding } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { showSuccess } from '../../ui/toasts/toast.ts';
import styles from './details-editor.module.css';
import { type Draft, draftOf, dropDraft, keepDraft, reportUnsaved, saveDraft, saveLeft } from './drafts.ts';

/** The server's limit, in characters. */
const LONGEST = 2000;

/** Keeps key presses in the form from reaching the overlay's shortcuts. Esc closes only the form. */
function keepKeys(event: KeyboardEvent, close: () => void): void {
  event.stopPropagation();
  if (event.key !== 'Escape') return;
  event.preventDefault();
  close();
}

const differing = (image: Image, { filename = image.filename, description = image.description }: Draft): Draft => ({
  ...(filename === image.filename ? {} : { filename }),
  ...(description === image.description ? {} : { description }),
});

interface DetailsFormProps {
  image: Image;
  /** Whether the user opened the form: it takes the focus then. */
  asked: boolean;
  onClose: () => void;
}

/** The form. Leaving it by navigation saves the draft; Cancel and Esc discard it. */
function DetailsForm({ image, asked, onClose }: DetailsFormProps) {
  const id = useId();
  const words = finding.edit;
  const [draft, setDraft] = useState<Draft>(() => draftOf(image.id) ?? {});
  const { filename, description } = { ...image, ...draft };
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
      void saveLeft(image.id);
    };
  }, [image.id]);

  const type = (change: Partial<Draft>): void => {
    const next = differing(image, { ...draft, ...change });
    setDraft(next);
    if (Object.keys(next).length === 0) dropDraft(image.id);
    else keepDraft(image.id, next);
  };
  const cancel = (): void => {
    dropDraft(image.id);
    onClose();
  };
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError('');
    try {
      await saveDraft(image.id);
      showSuccess(words.saved);
      onClose();
    } catch (thrown) {
      if (!isHere.current) reportUnsaved(image.id, thrown);
      setError(reasonOf(thrown) ?? words.failed);
      setBusy(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void save(event)} onKeyDown={(event) => keepKeys(event, cancel)}>
      <Field
        ref={asked ? focusOnMount : undefined}
        label={words.filename}
        required
        height="small"
        autoComplete="off"
        dir="auto"
        value={filename}
        onChange={(event) => type({ filename: event.target.value })}
      />
      <div className={styles.area}>
        <label htmlFor={id}>{words.description}</label>
        <textarea
          id={id}
          rows={4}
          dir="auto"
          maxLength={LONGEST}
          aria-describedby={`${id}hint`}
          value={description}
          onChange={(event) => type({ description: event.target.value })}
        />
        <p id={`${id}hint`}>{words.hint}</p>
      </div>
      <p role="alert" className={styles.error}>
        {error}
      </p>
      <div className={styles.buttons}>
        <Button type="submit" variant="quiet" busy={busy}>
          {words.save}
        </Button>
        <Button variant="ghost" onClick={cancel}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}

/** Shows an image's description and edits it and the filename. */
export function DetailsEditor({ image }: { image: Image }) {
  const startOf = ({ id }: Image) => ({ id, isOpen: draftOf(id) !== undefined, isAsked: false });
  const [state, setState] = useState(() => startOf(image));
  // Not by a React key: the button would lose the focus, and the overlay its keys.
  if (state.id !== image.id) setState(startOf(image));
  const opener = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    focusAfter(
      () => setState({ ...state, isOpen: false }),
      () => opener.current,
    );
  };
  if (state.isOpen) return <DetailsForm key={image.id} image={image} asked={state.isAsked} onClose={close} />;
  const open = (): void => setState({ ...state, isOpen: true, isAsked: true });
  return (
    <div className={styles.shown}>
      {image.description === '' ? null : (
        <p className={styles.description} dir="auto">
          {image.description}
        </p>
      )}
      <Button variant="line" ref={opener} onClick={open}>
        <Pencil />
        {finding.edit.open}
      </Button>
    </div>
  );
}
