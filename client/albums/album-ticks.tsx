import { useCallback, useEffect, useRef, useState } from 'react';
import type { Album, AlbumAddition } from '../../server/contract.ts';
import { addToAlbum, albumsHolding, listAlbums, makeAlbum, removeFromAlbum } from '../api/albums.ts';
import { albums as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { showSuccess } from '../ui/toast.ts';
import styles from './add-to-album.module.css';
import { attempt } from './attempt.ts';
import { NameForm } from './name-form.tsx';
import { useLoaded } from './use-loaded.ts';

interface TickProps {
  album: Album;
  /** How many of the images the album contains. */
  count: number;
  of: number;
  isFresh: boolean;
  onTick: () => void;
}

function Tick({ album, count, of, isFresh, onTick }: TickProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = count > 0 && count < of;
  }, [count, of]);
  useEffect(() => {
    if (isFresh) box.current?.focus();
  }, [isFresh]);
  return (
    <li>
      <label className={styles.row}>
        <input ref={box} type="checkbox" checked={count === of} onChange={onTick} />
        <bdi>{album.name}</bdi>
      </label>
    </li>
  );
}

function tellAdded({ added, unknown }: AlbumAddition, name: string): void {
  const missing = unknown.length > 0 ? texts.add.missing(unknown.length) : undefined;
  showSuccess(added > 0 ? texts.add.added(added, name) : texts.add.present(name), missing);
}

/** Checkboxes for the albums: a tick adds all these images to one, or removes them from it. */
export function AlbumTicks({ ids }: { ids: readonly string[] }) {
  const key = ids.join();
  const load = useCallback(
    async (signal: AbortSignal) => {
      const [albums, holding] = await Promise.all([listAlbums(signal), albumsHolding(key.split(','), signal)]);
      return { albums, holding };
    },
    [key],
  );
  const { value, error, busy, reload } = useLoaded(load, key);
  const [naming, setNaming] = useState(false);
  const [fresh, setFresh] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const maker = useRef<HTMLButtonElement>(null);
  const isKnown = value !== undefined;
  useEffect(() => {
    if (isKnown) list.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [isKnown]);

  async function change(work: () => Promise<void>): Promise<boolean> {
    const done = await attempt(work);
    reload();
    return done;
  }
  const tick = ({ id, name }: Album, isIn: boolean) =>
    change(async () => {
      if (!isIn) return tellAdded(await addToAlbum(id, ids), name);
      await removeFromAlbum(id, ids);
      showSuccess(texts.add.removed(ids.length, name));
    });
  async function create(name: string): Promise<boolean> {
    let made: Album | undefined;
    await change(async () => {
      made = await makeAlbum(name);
      tellAdded(await addToAlbum(made.id, ids), made.name);
    });
    // An album that could not be filled still exists, and can be ticked again.
    if (made === undefined) return false;
    setFresh(made.id);
    setNaming(false);
    return true;
  }
  function cancel(): void {
    setNaming(false);
    requestAnimationFrame(() => maker.current?.focus());
  }

  if (value === undefined && error === null) return <Waiting />;
  return (
    <div ref={list}>
      <p className={styles.title}>{texts.add.title(ids.length)}</p>
      {error ? (
        <p className={styles.none} role="alert">
          {texts.loadFailed}. {error.message}
        </p>
      ) : null}
      {error ? (
        <Button variant="line" busy={busy} onClick={reload}>
          {texts.retry}
        </Button>
      ) : null}
      {value?.albums.length === 0 ? <p className={styles.none}>{texts.empty}</p> : null}
      <ul className={styles.list}>
        {value?.albums.map((album) => {
          const count = value.holding.get(album.id) ?? 0;
          return (
            <Tick
              key={album.id}
              album={album}
              count={count}
              of={ids.length}
              isFresh={fresh === album.id}
              onTick={() => tick(album, count === ids.length)}
            />
          );
        })}
      </ul>
      {value && naming ? <NameForm onSave={create} onCancel={cancel} /> : null}
      {value && !naming ? (
        <Button ref={maker} variant="line" onClick={() => setNaming(true)}>
          {texts.add.create}
        </Button>
      ) : null}
    </div>
  );
}

function Waiting() {
  return (
    <>
      <p className="visually-hidden" role="status">
        {texts.loading}
      </p>
      <ul className={styles.waiting} aria-hidden="true">
        <li />
        <li />
        <li />
      </ul>
    </>
  );
}
