import { type RefObject, Suspense, useMemo, useRef, useState } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';
import type { Image } from '../../server/contract.ts';
import { formatAlbumPage, parseAlbumPage } from '../albums/album-address.ts';
import { AlbumImage } from '../albums/album-image.tsx';
import { albumPageAt, type KeptAlbumPage } from '../albums/album-pages.ts';
import styles from '../albums/albums.module.css';
import { useAlbum } from '../albums/use-album.ts';
import { useDragging } from '../albums/use-dragging.ts';
import { changeAlbum } from '../api/albums.ts';
import { reasonOf } from '../api/api-error.ts';
import { SelectButton } from '../gallery/select/select-button.tsx';
import type { Selection } from '../gallery/select/selection.ts';
import { usePicking } from '../gallery/select/use-picking.ts';
import { type Selecting, useSelection } from '../gallery/select/use-selection.ts';
import type { Pick } from '../image/card/image-card.tsx';
import { returningOn, usePreview } from '../image/use-preview.ts';
import { useReturning } from '../image/wall/focus-picture.ts';
import { lastPageInstead } from '../image/wall/kept-page.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { galleryPath } from '../routes.ts';
import '../session/copied-links.ts';
import { withLaterWords } from '../text/language.ts';
import { gallery, albums as texts } from '../text/words.ts';
import { ButtonLink } from '../ui/buttons/button.tsx';
import { Empty } from '../ui/page/empty.tsx';
import { LoadError } from '../ui/page/load-error.tsx';
import { Pager } from '../ui/page/pager.tsx';
import { LoadingLine } from '../ui/progress/loading-line.tsx';
import { AlbumHead } from './album-head.tsx';

const Preview = lazyPart(async () => ({
  default: (await withLaterWords(import('../image/preview/owner-preview.tsx'))).OwnerPreview,
}));
const Bar = lazyPart(() => withLaterWords(import('./gallery-bar.tsx')));

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

interface AlbumPicturesProps {
  list: RefObject<HTMLUListElement | null>;
  shown: KeptAlbumPage;
  /** The page in the URL. */
  page: number;
  selection: Selection;
  onPick: Pick;
  /** Gets the new cover's id, or null for none. */
  onCover: (id: string | null) => void;
  onMove: (index: number, where: 'earlier' | 'later') => void;
  onRemove: (image: Image) => void;
}

/** The pictures of a page, or the way to the gallery if the album is empty. */
function AlbumPictures({ list, shown, page, selection, onPick, onCover, onMove, onRemove }: AlbumPicturesProps) {
  const { images, totalPages } = shown;
  const { cover, count } = shown.album;
  if (count === 0) {
    return (
      <Empty text={texts.emptyAlbum} hint={texts.emptyAlbumHint}>
        <ButtonLink variant="line" href={galleryPath}>
          {texts.toGallery}
        </ButtonLink>
      </Empty>
    );
  }
  return (
    <ul ref={list} className={styles.wall} data-picking={selection.on || undefined}>
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
          onPick={onPick}
          onCover={() => onCover(cover === image.id ? null : image.id)}
          onMove={(where) => onMove(index, where)}
          onRemove={() => onRemove(image)}
        />
      ))}
    </ul>
  );
}

interface ChosenBarProps {
  images: readonly Image[];
  chosen: readonly Image[];
  selecting: Selecting;
  onRemove: () => void;
}

/** The selection bar, which removes pictures from the album instead of deleting them. */
const ChosenBar = ({ images, chosen, selecting, onRemove }: ChosenBarProps) => (
  <Suspense>
    <Bar
      images={chosen}
      busy={false}
      removeWord={texts.image.remove}
      onAll={() => selecting.all(images)}
      onDelete={onRemove}
      onLeave={selecting.leave}
    />
  </Suspense>
);

interface OverlayProps {
  /** The album's id. */
  id: string;
  /** The page in the URL. */
  page: number;
  kept: KeptAlbumPage;
  preview: ReturnType<typeof usePreview>;
}

/** The overlay of a picture of the album. */
function Overlay({ id, page, kept, preview }: OverlayProps) {
  if (preview.id === null) return null;
  return (
    <Suspense fallback={<LoadingLine at="window" />}>
      <Preview
        pageOf={(to) => albumPageAt(id, to)}
        page={page}
        kept={kept}
        id={preview.id}
        onShow={preview.show}
        onClose={preview.close}
      />
    </Suspense>
  );
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
      <AlbumPictures
        list={wall}
        shown={shown}
        page={page}
        selection={selection}
        onPick={pick}
        onCover={(cover) => album.change(() => changeAlbum(id, { cover }))}
        onMove={(index, where) => {
          setTurned(null);
          void album.move(index, where);
        }}
        onRemove={(image) => void takeOut([image])}
      />
      {totalPages > 1 ? <Pager page={page} pages={totalPages} inFlow onPage={turn} /> : null}
      {selection.on ? (
        <ChosenBar images={images} chosen={chosen} selecting={selecting} onRemove={() => void takeOut(chosen)} />
      ) : null}
      <Overlay id={id} page={page} kept={shown} preview={preview} />
    </>
  );
}
