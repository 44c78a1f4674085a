import { FolderPlus } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { Album } from '../../server/contract.ts';
import { addToAlbum, albumsHolding, listAlbums, makeAlbum, removeFromAlbum } from '../api/albums.ts';
import { texts } from '../text/albums.ts';
import { Button } from '../ui/button.tsx';
import { showSuccess } from '../ui/toast.tsx';
import styles from './add-to-album.module.css';
import { attempt } from './attempt.ts';
import { NameForm } from './name-form.tsx';

type Known = { albums: Album[]; holding: Map<string, number> };

interface AlbumPopoverProps {
  /** Of the popover: a button with it as its `popoverTarget` opens it. */
  id: string;
  /** Of images, at most 5,000. */
  ids: readonly string[];
}

/** The albums: a tick puts all these images into one, or takes them out again. */
export function AlbumPopover({ id, ids }: AlbumPopoverProps) {
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const element = popover.current;
    const toggled = (event: Event) => setOpen((event as ToggleEvent).newState === 'open');
    element?.addEventListener('toggle', toggled);
    return () => element?.removeEventListener('toggle', toggled);
  }, []);
  return (
    <div
      ref={popover}
      id={id}
      popover="auto"
      className={styles.popover}
      role="dialog"
      aria-label={texts.add.button}
      onKeyDown={(event) => event.stopPropagation()}
    >
      {isOpen ? <AlbumTicks ids={ids} /> : null}
    </div>
  );
}

/** A button, and behind it the same. */
export function AddToAlbum({ ids, className }: { ids: readonly string[]; className?: string }) {
  const id = useId();
  return (
    <>
      <Button variant="ghost" className={className} popoverTarget={id} disabled={ids.length === 0}>
        <FolderPlus />
        {texts.add.button}
      </Button>
      <AlbumPopover id={id} ids={ids} />
    </>
  );
}

function AlbumTicks({ ids }: { ids: readonly string[] }) {
  const key = ids.join();
  const [known, setKnown] = useState<Known>();
  const [naming, setNaming] = useState(false);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round reads the same anew
  useEffect(() => {
    let current = true;
    void attempt(async () => {
      const [albums, holding] = await Promise.all([listAlbums(), albumsHolding(ids)]);
      if (current) setKnown({ albums, holding });
    });
    return () => {
      current = false;
    };
  }, [key, round]);

  async function change(work: () => Promise<void>): Promise<boolean> {
    const done = await attempt(work);
    setRound((last) => last + 1);
    return done;
  }
  const tick = ({ id, name }: Album, isIn: boolean) =>
    change(async () => {
      if (isIn) {
        await removeFromAlbum(id, ids);
        showSuccess(texts.add.removed(ids.length, name));
        return;
      }
      const { added } = await addToAlbum(id, ids);
      showSuccess(added > 0 ? texts.add.added(added, name) : texts.add.present(name));
    });
  async function create(name: string): Promise<boolean> {
    const done = await change(async () => {
      const album = await makeAlbum(name);
      const { added } = await addToAlbum(album.id, ids);
      showSuccess(texts.add.added(added, album.name));
    });
    if (done) setNaming(false);
    return done;
  }

  if (!known) return <p role="status">{texts.loading}</p>;
  return (
    <>
      <p className={styles.title}>{texts.add.title(ids.length)}</p>
      {known.albums.length === 0 ? <p className={styles.none}>{texts.empty}</p> : null}
      <ul className={styles.list}>
        {known.albums.map((album) => {
          const count = known.holding.get(album.id) ?? 0;
          const isIn = count === ids.length;
          return (
            <li key={album.id}>
              <label className={styles.row}>
                <input
                  type="checkbox"
                  checked={isIn}
                  ref={(box) => {
                    if (box) box.indeterminate = count > 0 && !isIn;
                  }}
                  onChange={() => tick(album, isIn)}
                />
                <bdi>{album.name}</bdi>
              </label>
            </li>
          );
        })}
      </ul>
      {naming ? (
        <NameForm onSave={create} onCancel={() => setNaming(false)} />
      ) : (
        <Button variant="line" onClick={() => setNaming(true)}>
          {texts.add.create}
        </Button>
      )}
    </>
  );
}
