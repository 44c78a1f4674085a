import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { AlbumImage } from '../albums/album-image.tsx';
import styles from '../albums/albums.module.css';
import { attempt } from '../albums/attempt.ts';
import { confirmDeletion } from '../albums/confirm-deletion.ts';
import { LinkBar } from '../albums/link-bar.tsx';
import { NameForm } from '../albums/name-form.tsx';
import { beforeEarlier, beforeLater } from '../albums/neighbours.ts';
import { Empty, Failed, Skeleton } from '../albums/states.tsx';
import { useLoaded } from '../albums/use-loaded.ts';
import { changeAlbum, deleteAlbum, moveInAlbum, openAlbum, removeFromAlbum } from '../api/albums.ts';
import { PageHead } from '../layout/page-head.tsx';
import { texts } from '../text/albums.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { showSuccess } from '../ui/toast.tsx';

export function AlbumPage({ id }: { id: string }) {
  const [, go] = useLocation();
  const [page, turn] = useState(1);
  const [renaming, setRenaming] = useState(false);
  const load = useCallback((signal: AbortSignal) => openAlbum(id, page, signal), [id, page]);
  const { value, error, busy, reload } = useLoaded(load, id);

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

  if (value === undefined) {
    return (
      <>
        <PageHead title={texts.title}>
          <ButtonLink href="/dashboard/albums">{texts.back}</ButtonLink>
        </PageHead>
        {error ? (
          <Failed text={error.status === 404 ? texts.gone : texts.loadFailed} busy={busy} onRetry={reload} />
        ) : (
          <Skeleton />
        )}
      </>
    );
  }

  const { album, images, totalPages } = value;
  const pageOf = (number: number) => openAlbum(id, number);
  const move = (index: number, where: 'earlier' | 'later') =>
    change(async () => {
      const before = await (where === 'earlier' ? beforeEarlier : beforeLater)(value, index, pageOf);
      const moved = images[index];
      if (moved && before !== undefined) await moveInAlbum(id, [moved.id], before);
    });
  async function takeOut(imageId: string) {
    if (!(await change(() => removeFromAlbum(id, [imageId])))) return;
    showSuccess(texts.image.removed);
    if (images.length === 1 && page > 1) turn(page - 1);
  }

  return (
    <>
      <PageHead title={album.name}>
        <ButtonLink href="/dashboard/albums">{texts.back}</ButtonLink>
        <Button onClick={() => setRenaming(true)}>{texts.rename}</Button>
        <Button onClick={remove}>{texts.remove}</Button>
      </PageHead>
      {renaming ? (
        <div className={styles.bar}>
          <NameForm
            name={album.name}
            onCancel={() => setRenaming(false)}
            onSave={async (name) => {
              const kept = await change(() => changeAlbum(id, { name }));
              if (kept) setRenaming(false);
              return kept;
            }}
          />
        </div>
      ) : null}
      <LinkBar id={id} link={album.link} onChange={reload} />
      {error ? <Failed text={texts.loadFailed} busy={busy} onRetry={reload} /> : null}
      {album.count === 0 ? (
        <Empty text={texts.emptyAlbum}>
          <ButtonLink variant="line" href="/dashboard/images">
            {texts.toGallery}
          </ButtonLink>
        </Empty>
      ) : (
        <ul className={styles.wall}>
          {images.map((image, index) => (
            <AlbumImage
              key={image.id}
              image={image}
              isCover={album.cover === image.id}
              isFirst={page === 1 && index === 0}
              isLast={page >= totalPages && index === images.length - 1}
              onCover={() => change(() => changeAlbum(id, { cover: album.cover === image.id ? null : image.id }))}
              onMove={(where) => move(index, where)}
              onRemove={() => takeOut(image.id)}
            />
          ))}
        </ul>
      )}
      {totalPages > 1 ? (
        <nav className={styles.pager} aria-label={texts.pages.label}>
          <Button disabled={page === 1} onClick={() => turn(page - 1)}>
            {texts.pages.previous}
          </Button>
          <p>{texts.pages.page(page, totalPages)}</p>
          <Button disabled={page >= totalPages} onClick={() => turn(page + 1)}>
            {texts.pages.next}
          </Button>
        </nav>
      ) : null}
    </>
  );
}
