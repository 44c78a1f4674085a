import { Pencil } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { reasonOf } from '../../api/api-error.ts';
import { changeImage } from '../../api/images.ts';
import { findingWords } from '../../text/finding.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { showSuccess } from '../../ui/toast.tsx';
import styles from './details-editor.module.css';

/** As the server takes it. */
const LONGEST = 2000;

/** The keys typed here are no commands of what stands around. Esc closes the form alone. */
function keepKeys(event: KeyboardEvent, close: () => void): void {
  event.stopPropagation();
  if (event.key !== 'Escape') return;
  event.preventDefault();
  close();
}

function DetailsForm({ image, onClose }: { image: Image; onClose: () => void }) {
  const id = useId();
  const words = findingWords().edit;
  const [filename, setFilename] = useState(image.filename);
  const [description, setDescription] = useState(image.description);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError('');
    try {
      await changeImage(image.id, { filename, description });
      showSuccess(words.saved);
      onClose();
    } catch (thrown) {
      setError(reasonOf(thrown) ?? words.failed);
      setBusy(false);
    }
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => keepKeys(event, onClose)}
    >
      <Field
        ref={first}
        label={words.filename}
        required
        height="small"
        autoComplete="off"
        dir="auto"
        value={filename}
        onChange={(event) => setFilename(event.target.value)}
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
          onChange={(event) => setDescription(event.target.value)}
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
        <Button variant="ghost" onClick={onClose}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}

/** What the owner says of a picture, and the way to change it and its name. To be given the image's id as its key. */
export function DetailsEditor({ image }: { image: Image }) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (isOpen) return <DetailsForm image={image} onClose={() => setOpen(false)} />;
  return (
    <div className={styles.shown}>
      {image.description === '' ? null : (
        <p className={styles.description} dir="auto">
          {image.description}
        </p>
      )}
      <Button variant="line" ref={opener} onClick={() => setOpen(true)}>
        <Pencil />
        {findingWords().edit.open}
      </Button>
    </div>
  );
}
