import { useCallback, useRef, useState } from 'react';
import type { Album, AlbumAddition } from '../../server/contract.ts';
import { addToAlbum, changeAlbum, makeAlbum, removeFromAlbum } from '../api/albums.ts';
import { reasonOf } from '../api/api-error.ts';
import { focusAfter, focusFirstOnMount } from '../lib/focus.ts';
import { queries } from '../query/queries.ts';
import { useQuery } from '../query/use-query.ts';
import { albums as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { showSuccess } from '../ui/toasts/toast.ts';
import { offerUndo } from '../ui/toasts/undoing.ts';
import styles from './add-to-album.module.css';
import { albumListQuery, albumsChanged, holdingQuery } from './album-pages.ts';
import { attempt } from './attempt.ts';
import { NameForm } from './name-form.tsx';

interface TickProps {
  album: Album;
  /** How many of the images the album contains. */
  count: number;
  of: number;
  onTick: () => void;
}

function Tick({ album, count, of, onTick }: TickProps) {
  const mark = (box: HTMLInputElement | null): void => {
    if (box) box.indeterminate = count > 0 && count < of;
  };
  return (
    <li>
      <label className={styles.row}>
        <input ref={mark} type="checkbox" value={album.id} checked={count === of} onChange={onTick} />
        <bdi>{album.name}</bdi>
      </label>
    </li>
  );
}

function reportAdded({ added, unknown }: AlbumAddition, name: string): void {
  const missing = unknown.length > 0 ? texts.add.missing(unknown.length) : undefined;
  showSuccess(added > 0 ? texts.add.added(added, name) : texts.add.present(name), missing);
}

/** The changes that ticks make. @param reload loads the albums again, and which of them contain the images */
function tickActions(ids: readonly string[], reload: () => Promise<unknown>) {
  async function change(work: () => Promise<unknown>): Promise<boolean> {
    const done = await attempt(work);
    albumsChanged();
    await reload();
    return done;
  }
  /** Shows at once what the call is about to store. */
  function tickNow(id: string, count: number): void {
    const { key } = holdingQuery(ids);
    queries.setData(key, new Map(queries.read<ReadonlyMap<string, number>>(key).data).set(id, count));
  }
  const add = ({ id, name }: Album) =>
    change(async () => {
      tickNow(id, ids.length);
      reportAdded(await addToAlbum(id, ids), name);
    });
  const remove = (album: Album) =>
    change(async () => {
      const { id, name, cover } = album;
      tickNow(id, 0);
      await removeFromAlbum(id, ids);
      const putBack = async (): Promise<void> => {
        const isDone = await add(album);
        if (isDone && cover !== null && ids.includes(cover)) await change(() => changeAlbum(id, { cover }));
      };
      offerUndo(
        () => texts.add.removed(ids.length, name),
        () => void putBack(),
      );
    });
  return { change, add, remove };
}

/** Checkboxes for the albums: a tick adds all these images to one, or removes them from it. */
export function AlbumTicks({ ids }: { ids: readonly string[] }) {
  const albums = useQuery(albumListQuery);
  const holding = useQuery(holdingQuery(ids));
  const isKnown = albums.data !== undefined && holding.data !== undefined;
  const error = albums.error ?? holding.error;
  const reload = () => Promise.all([queries.fetch(albumListQuery), queries.fetch(holdingQuery(ids))]);
  const [naming, setNaming] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const appear = useCallback((part: HTMLDivElement | null) => {
    list.current = part;
    focusFirstOnMount(part);
  }, []);
  const maker = useRef<HTMLButtonElement>(null);
  const { change, add, remove } = tickActions(ids, reload);

  async function create(name: string): Promise<boolean> {
    let made: Album | undefined;
    await change(async () => {
      made = await makeAlbum(name);
      reportAdded(await addToAlbum(made.id, ids), made.name);
    });
    // An album that could not be filled still exists, and can be ticked again.
    if (made === undefined) return false;
    const { id } = made;
    focusAfter(
      () => setNaming(false),
      () => list.current?.querySelector<HTMLElement>(`[value="${id}"]`),
    );
    return true;
  }
  function cancel(): void {
    focusAfter(
      () => setNaming(false),
      () => maker.current,
    );
  }

  if (!isKnown && error === undefined) return <Waiting />;
  return (
    <div ref={appear}>
      <p className={styles.title}>{texts.add.title(ids.length)}</p>
      {error === undefined ? null : (
        <>
          <p className={styles.none} role="alert">
            {texts.loadFailed} {reasonOf(error)}
          </p>
          <Button variant="line" busy={albums.fetching || holding.fetching} onClick={() => void reload()}>
            {texts.retry}
          </Button>
        </>
      )}
      {albums.data?.length === 0 ? <p className={styles.none}>{texts.empty}</p> : null}
      <ul className={styles.list}>
        {(isKnown ? albums.data : []).map((album) => {
          const count = holding.data?.get(album.id) ?? 0;
          return (
            <Tick
              key={album.id}
              album={album}
              count={count}
              of={ids.length}
              onTick={() => void (count === ids.length ? remove(album) : add(album))}
            />
          );
        })}
      </ul>
      {isKnown && naming ? <NameForm onSave={create} onCancel={cancel} /> : null}
      {isKnown && !naming ? (
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
