import { useState } from 'react';
import type { Image, ImagePage } from '../../server/contract.ts';
import { reasonOf } from '../api/api-error.ts';
import { listImages } from '../api/images.ts';
import { queries } from '../query/queries.ts';
import type { Query } from '../query/query.ts';
import { useLast, useQuery } from '../query/use-query.ts';
import { links as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Field } from '../ui/fields/field.tsx';
import { LoadError } from '../ui/page/load-error.tsx';
import styles from './image-picker.module.css';

const imagesFor = (search: string): Query<ImagePage> => ({
  key: ['image-picker', search],
  load: (signal, background) => listImages({ page: 1, search }, signal, background),
});

interface ImagePickerProps {
  title: string;
  busy: boolean;
  onPick: (image: Image) => void;
  onClose: () => void;
}

/** Chooses one of the account's images: the newest ones, or those that a search finds. */
export function ImagePicker({ title, busy, onPick, onClose }: ImagePickerProps) {
  const [search, setSearch] = useState('');
  const query = imagesFor(search);
  const { data, error, fetching } = useQuery(query);
  const shown = useLast(data);
  return (
    <Dialog title={title} size="wide" onClose={onClose}>
      <Field
        type="search"
        label={texts.picker.search}
        height="small"
        value={search}
        autoComplete="off"
        onChange={(event) => setSearch(event.target.value)}
      />
      {error === undefined ? null : (
        <LoadError
          size="line"
          text={texts.picker.failed}
          reason={reasonOf(error)}
          retry={texts.retry}
          busy={fetching}
          onRetry={() => void queries.fetch(query)}
        />
      )}
      {shown?.images.length === 0 ? <p role="status">{texts.picker.none}</p> : null}
      <ul className={styles.grid} aria-busy={fetching || busy}>
        {shown?.images.map((image) => (
          <li key={image.id}>
            <button
              type="button"
              className={styles.choice}
              aria-disabled={busy || undefined}
              onClick={busy ? undefined : () => onPick(image)}
            >
              <img src={image.thumbnail_url} alt={image.description} loading="lazy" />
              <bdi className="ellipsis">{image.filename}</bdi>
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button variant="ghost" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
