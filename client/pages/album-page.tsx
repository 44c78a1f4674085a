import { useCallback, useReducer, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { AlbumPage as AlbumPageAnswer } from '../../server/contract.ts';
import { AlbumImage } from '../albums/album-image.tsx';
import { AlbumPager } from '../albums/album-pager.tsx';
import styles from '../albums/albums.module.css';
import { attempt } from '../albums/attempt.ts';
import { confirmDeletion } from '../albums/confirm-deletion.ts';
import { LinkBar } from '../albums/link-bar.tsx';
import { NameForm } from '../albums/name-form.tsx';
import { beforeEarlier, beforeLater, beforePlace, reordered } from '../albums/neighbours.ts';
import { Empty, Failed, Skeleton } from '../albums/states.tsx';
import { useDragging } from '../albums/use-dragging.ts';
import { useLoaded } from '../albums/use-loaded.ts';
import { useSteadyFocus } from '../albums/use-steady-focus.ts';
import { addToAlbum, changeAlbum, deleteAlbum, moveInAlbum, openAlbum, removeFromAlbum } from '../api/albums.ts';
import { ApiError } from '../api/api-error.ts';
import { PageHead } from '../layout/page-head.tsx';
import { sayAgain } from '../lib/say-again.ts';
import { albums as texts } from '../text/words.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { showSuccess } from '../ui/toast.ts';
import { offerUndo } from '../ui/undoing.ts';

/** Position in the whole album, from 1, of an index on a page. */
function placeOf({ images, page, total, totalPages }: AlbumPageAnswer, index: number): number {
  const before = page < totalPages ? (page - 1) * images.length : total - images.length;
  return before + index + 1;
}

/** Ignores that the image to put it before has left the album too: it stays at the end. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
}

export default function AlbumPage({ id }: { id: string }) {
  const [, go] = useLocation();
  const [page, turn] = useState(1);
  const [renaming, setRenaming] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const load = useCallback((signal: AbortSignal) => openAlbum(id, page, signal), [id, page]);
  const { value, error, busy, reload, set } = useLoaded(load, id);
  const wall = useRef<HTMLUListElement>(null);
  const keepFocus = useSteadyFocus(wall, value?.images.map((image) => image.id).join() ?? '');
  const [said, say] = useReducer(sayAgain, '');
  useDragging(wall, (value?.images.length ?? 0) > 0, (from, place) => void drag(from, place));

  const endRenaming = () => {
    setRenaming(false);
    opener.current?.focus();
  };
  async function change(work: () => Promise<unknown>): Promise<boolean> {
    const done = await attempt(work);
    reload();
    return done;
  }
  async function remove() {
    if (!(await confirmDeletion())) return;
    if (!(await attempt(() => deleteAlbum(id)))) return;
    showSuccess(texts.deleted);
    go('/dashboard/albums');
  }

  const pageOf = (number: number) => openAlbum(id, number);
  /** @param to its index on this page */
  async function put(from: number, to: number, before: (shown: AlbumPageAnswer) => Promise<string | null | undefined>) {
    const moved = value?.images[from];
    if (!value || !moved) return;
    const target = await before(value);
    if (target === undefined) return;
    await moveInAlbum(id, [moved.id], target);
    say(texts.moved(moved.filename, placeOf(value, to), value.total));
  }
  const move = (index: number, where: 'earlier' | 'later') => {
    keepFocus();
    const before = where === 'earlier' ? beforeEarlier : beforeLater;
    const to = where === 'earlier' ? index - 1 : index + 1;
    return change(() => put(index, to, (shown) => before(shown, index, pageOf)));
  };
  const drag = (from: number, place: number) => {
    if (value) set({ ...value, images: reordered(value.images, from, place) });
    const to = place > from ? place - 1 : place;
    return change(() => put(from, to, (shown) => beforePlace(shown, place, pageOf)));
  };

  if (value === undefined) {
    return (
      <>
        <PageHead title={texts.title}>
          <ButtonLink href="/dashboard/albums">{texts.back}</ButtonLink>
        </PageHead>
        {error ? (
          <Failed
            text={error.status === 404 ? texts.gone : texts.loadFailed}
            reason={error.status === 404 ? '' : error.message}
            busy={busy}
            onRetry={error.status === 404 ? undefined : reload}
          />
        ) : (
          <Skeleton />
        )}
      </>
    );
  }

  const { album, images, totalPages } = value;
  async function takeOut(index: number, imageId: string) {
    keepFocus();
    const wasCover = album.cover === imageId;
    const following = await attempt(async () => {
      const before = await beforePlace(value as AlbumPageAnswer, index + 1, pageOf);
      await removeFromAlbum(id, [imageId]);
      offerUndo(
        () => texts.image.removed,
        async () => {
          await change(async () => {
            await addToAlbum(id, [imageId]);
            if (wasCover) await changeAlbum(id, { cover: imageId });
            if (before !== null) await moveInAlbum(id, [imageId], before).catch(unlessGone);
          });
        },
      );
    });
    reload();
    if (following && images.length === 1 && page > 1) turn(page - 1);
  }

  return (
    <>
      <PageHead title={album.name}>
        <ButtonLink href="/dashboard/albums">{texts.back}</ButtonLink>
        <Button ref={opener} onClick={() => setRenaming(true)}>
          {texts.rename}
        </Button>
        <Button onClick={remove}>{texts.remove}</Button>
      </PageHead>
      {renaming ? (
        <div className={styles.bar}>
          <NameForm
            name={album.name}
            onCancel={endRenaming}
            onSave={async (name) => {
              const kept = await change(() => changeAlbum(id, { name }));
              if (kept) endRenaming();
              return kept;
            }}
          />
        </div>
      ) : null}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <LinkBar id={id} link={album.link} onChange={reload} />
      {error ? <Failed text={texts.loadFailed} reason={error.message} busy={busy} onRetry={reload} /> : null}
      {album.count === 0 ? (
        <Empty text={texts.emptyAlbum} hint={texts.emptyAlbumHint}>
          <ButtonLink variant="line" href="/dashboard/images">
            {texts.toGallery}
          </ButtonLink>
        </Empty>
      ) : (
        <ul ref={wall} className={styles.wall}>
          {images.map((image, index) => (
            <AlbumImage
              key={image.id}
              image={image}
              isCover={album.cover === image.id}
              isFirst={page === 1 && index === 0}
              isLast={page >= totalPages && index === images.length - 1}
              onCover={() => change(() => changeAlbum(id, { cover: album.cover === image.id ? null : image.id }))}
              onMove={(where) => move(index, where)}
              onRemove={() => takeOut(index, image.id)}
            />
          ))}
        </ul>
      )}
      {totalPages > 1 ? (
        <AlbumPager page={page} shown={value.page} pages={totalPages} onTurn={turn} onTurned={say} />
      ) : null}
    </>
  );
}
