import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';
import type { Image } from '../../server/contract.ts';
import { formatAlbumPage, parseAlbumPage } from '../albums/album-address.ts';
import { AlbumImage } from '../albums/album-image.tsx';
import { albumPageAt } from '../albums/album-pages.ts';
import styles from '../albums/albums.module.css';
import { useAlbum } from '../albums/use-album.ts';
import { useDragging } from '../albums/use-dragging.ts';
import { changeAlbum } from '../api/albums.ts';
import { reasonOf } from '../api/api-error.ts';
import { SelectButton } from '../gallery/select/select-button.tsx';
import { usePicking } from '../gallery/select/use-picking.ts';
import { useSelection } from '../gallery/select/use-selection.ts';
import { useReturning } from '../image/focus-picture.ts';
import { lastPageInstead } from '../image/kept-page.ts';
import { returningOn, usePreview } from '../image/use-preview.ts';
import { galleryPath } from '../routes.ts';
import '../session/copied-links.ts';
import { withLaterWords } from '../text/language.ts';
import { gallery, albums as texts } from '../text/words.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { LoadError } from '../ui/load-error.tsx';
import { LoadingLine } from '../ui/loading-line.tsx';
import { Pager } from '../ui/pager.tsx';
import { AlbumHead } from './album-head.tsx';

const Preview = lazy(async () => ({
  default: (await withLaterWords(import('../image/preview/owner-preview.tsx'))).OwnerPreview,
}));
const Bar = lazy(() => withLaterWords(import('./gallery-bar.tsx')));

const NONE: readonly Image[] = [];

/** How many pictures load at once: about one screen. */
const NEAR = 8;

/** The album's page in the URL. */
function useAlbumPage() {
  const page = parseAlbumPage(useSearch());
  const [path, navigate] = useLocation();
  return useMemo(() => {
    const format = (to: number) => `${path}${formatAlbumPage(to)}`;
    return {
      page,
      go: navigate,
      format,
      read: () => parseAlbumPage(location.search),
      replace: (to: number) => navigate(format(to), { replace: true }),
    };
  }, [page, path, navigate]);
}

/** An album that has loaded (album-page.tsx): its pictures, and what changes them. */
export function AlbumView({ id }: { id: string }) {
  const url = useAlbumPage();
  const { page } = url;
  const wall = useRef<HTMLUListElement>(null);
  const album = useAlbum(id, page, wall);
  const { shown, error, fetching } = album;
  const images = shown?.images ?? NONE;
  const [turned, setTurned] = useState<number | null>(null);
  const [selection, selecting] = useSelection();
  const preview = usePreview(url);
  const { pick, chosen } = usePicking({ selection, selecting, images, open: preview.open });
  const isHere = shown?.page === page;
  useDragging(wall, images.length > 0, (from, place) => {
    setTurned(null);
    void album.drag(from, place);
  });
  useReturning(isHere ? returningOn(preview, page) : null, preview.returned);

  const turn = (to: number): void => {
    setTurned(to);
    url.go(url.format(to));
    window.scrollTo(0, 0);
  };
  const takeOut = async (removed: readonly Image[]): Promise<void> => {
    if (!(await album.takeOut(removed))) return;
    selecting.drop(removed.map((image) => image.id));
    if (images.every((image) => removed.includes(image)) && page > 1) url.replace(page - 1);
  };

  if (shown === undefined) return null;
  const pastEnd = isHere ? lastPageInstead(shown, page) : null;
  if (pastEnd !== null) return <Redirect to={url.format(pastEnd)} replace />;
  const { totalPages } = shown;
  const { pager } = gallery;
  const { cover } = shown.album;
  return (
    <>
      <AlbumHead album={shown.album} images={images} onChange={album.change}>
        <SelectButton selection={selection} selecting={selecting} />
      </AlbumHead>
      <p className="visually-hidden" role="status">
        {turned === shown.page ? pager.page(shown.page, totalPages) : album.said}
      </p>
      {error === undefined ? null : (
        <LoadError
          size="bar"
          text={texts.albumFailed}
          reason={reasonOf(error)}
          retry={texts.retry}
          busy={fetching}
          onRetry={album.retry}
        />
      )}
      {shown.album.count === 0 ? (
        <Empty text={texts.emptyAlbum} hint={texts.emptyAlbumHint}>
          <ButtonLink variant="line" href={galleryPath}>
            {texts.toGallery}
          </ButtonLink>
        </Empty>
      ) : (
        <ul ref={wall} className={styles.wall} data-picking={selection.on || undefined}>
          {images.map((image, index) => (
            <AlbumImage
              key={image.id}
              image={image}
              isNear={index < NEAR}
              isCover={cover === image.id}
              isFirst={page === 1 && index === 0}
              isLast={page >= totalPages && index === images.length - 1}
              picking={selection.on}
              selected={selection.images.has(image.id)}
              onPick={pick}
              onCover={() => album.change(() => changeAlbum(id, { cover: cover === image.id ? null : image.id }))}
              onMove={(where) => {
                setTurned(null);
                void album.move(index, where);
              }}
              onRemove={() => void takeOut([image])}
            />
          ))}
        </ul>
      )}
      {totalPages > 1 ? <Pager page={page} pages={totalPages} inFlow onPage={turn} /> : null}
      {selection.on ? (
        <Suspense>
          <Bar
            images={chosen}
            busy={false}
            removeWord={texts.image.remove}
            onAll={() => selecting.all(images)}
            onDelete={() => void takeOut(chosen)}
            onLeave={selecting.leave}
          />
        </Suspense>
      ) : null}
      {preview.id === null ? null : (
        <Suspense fallback={<LoadingLine at="window" />}>
          <Preview
            pageOf={(to) => albumPageAt(id, to)}
            page={page}
            kept={shown}
            id={preview.id}
            onShow={preview.show}
            onClose={preview.close}
          />
        </Suspense>
      )}
    </>
  );
}
