import { type ComponentType, lazy, Suspense, useCallback, useEffect, useMemo, useRef } from 'react';
import type { Image } from '../../server/contract.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { withLaterWords } from '../text/language.ts';
import { undo as undone } from '../text/words.ts';
import { offerUndo } from '../ui/undoing.ts';
import { type Address, parseAddress } from './address.ts';
import { FailedGallery } from './gallery-blank.tsx';
import styles from './gallery-screen.module.css';
import { focusPicture, ImageWall } from './image-wall.tsx';
import { lastPageInstead } from './page-cache.ts';
import type { Pages } from './pages.ts';
import type { Selection } from './select/selection.ts';
import type { SelectionBarProps } from './select/selection-bar.tsx';
import { usePicking } from './select/use-picking.ts';
import type { Selecting } from './select/use-selection.ts';
import { SkeletonWall } from './skeleton-wall.tsx';
import type { Go } from './use-address.ts';
import { loadDeletion, useDeletion } from './use-deletion.ts';
import { useImagePage } from './use-image-page.ts';
import { useNextPage } from './use-next-page.ts';
import { type PreviewState, usePreview } from './use-preview.ts';
import { useRemoval } from './use-removal.ts';
import { useResultSpeech } from './use-result-speech.ts';

const loadPreview = () => withLaterWords(import('./preview/preview.tsx'));
const Preview = lazy(async () => ({ default: (await loadPreview()).Preview }));
type LoadBar = () => Promise<{ default: ComponentType<Omit<SelectionBarProps, 'further'>> }>;

const Pager = lazy(async () => ({ default: (await import('./pager.tsx')).Pager }));
const loadEmpty = () => withLaterWords(import('./empty-gallery.tsx'));
const EmptyGallery = lazy(async () => ({ default: (await loadEmpty()).EmptyGallery }));
const SearchNotes = lazy(async () => ({
  default: (await withLaterWords(import('./finding/search-notes.tsx'))).SearchNotes,
}));

/** Fetches what the first click may need. A failure is reported only when the part is needed. */
function usePrefetch(loadBar: LoadBar): void {
  useEffect(
    () => whenIdle(() => void Promise.all([loadPreview(), loadBar(), loadDeletion()]).catch(() => undefined)),
    [loadBar],
  );
}

/** Once the overlay closes, focuses the picture shown last and shows the gallery page that it is on. */
function useReturn(preview: PreviewState, address: Address, images: readonly Image[], go: Go): void {
  const wasOpen = useRef(false);
  const awaited = useRef<string>(undefined);
  useEffect(() => {
    const { current: last } = preview.last;
    if (preview.id === null && wasOpen.current && last) {
      awaited.current = last.id;
      const { page } = parseAddress(last.query);
      if (page !== address.page) go({ ...address, page }, 'replace');
    }
    wasOpen.current = preview.id !== null;
  }, [preview, address, go]);
  useEffect(() => {
    const id = awaited.current;
    if (preview.id !== null || id === undefined) return;
    const isHere = images.some((image) => image.id === id);
    const { page } = parseAddress(preview.last.current?.query ?? '');
    // The picture's page is still loading.
    if (!isHere && page !== address.page) return;
    awaited.current = undefined;
    focusPicture(id);
  }, [preview, address, images]);
}

interface GalleryScreenProps {
  pages: Pages;
  address: Address;
  go: Go;
  selection: Selection;
  selecting: Selecting;
  /** Loads the selection bar; must stay the same function. */
  loadBar: LoadBar;
}

const NONE: readonly Image[] = [];

export function GalleryScreen({ pages, address, go, selection, selecting, loadBar }: GalleryScreenProps) {
  const { kept, stale, fetching, failed, retry } = useImagePage(pages, address);
  const images = kept?.images ?? NONE;
  const preview = usePreview();
  const { leaving, onGone } = useRemoval({ pages, address, go, images, preview });
  const deletion = useDeletion((image) => {
    selecting.drop([image.id]);
    onGone(image);
  });
  const picking = usePicking({ selection, selecting, pages, address, images, open: preview.open });
  const said = useResultSpeech(address, kept, stale);
  const Bar = useMemo(() => lazy(loadBar), [loadBar]);
  usePrefetch(loadBar);
  useNextPage(pages, address, stale ? undefined : kept);

  const pastEnd = kept !== undefined && !stale ? lastPageInstead(kept, address.page) : null;
  useEffect(() => {
    if (pastEnd !== null) go({ ...address, page: pastEnd }, 'replace');
  }, [pastEnd, address, go]);

  useReturn(preview, address, images, go);

  const turn = (page: number): void => {
    go({ ...address, page }, 'push');
    window.scrollTo(0, 0);
  };
  const showAll = (): void => {
    go({ ...address, page: 1, search: '' }, 'push');
    document.querySelector<HTMLElement>('h1')?.focus();
    offerUndo(
      () => undone.search,
      () => go(address, 'push'),
    );
  };
  const { ask } = deletion;
  const remove = useCallback((image: Image) => ask(image), [ask]);
  const count = kept?.totalPages ?? 0;
  const about = kept?.total_is_estimate ?? false;
  const blank = images.length === 0;
  const waiting = !failed && blank && (kept === undefined || stale || pastEnd !== null || (fetching && kept.total > 0));
  return (
    <>
      {stale || kept?.search_notes === undefined ? null : (
        <Suspense>
          <SearchNotes notes={kept.search_notes} />
        </Suspense>
      )}
      {stale && fetching && !blank ? <div className={styles.loading} /> : null}
      {failed ? <FailedGallery hasCards={!blank} busy={fetching} onRetry={retry} /> : null}
      {waiting ? <SkeletonWall /> : null}
      {blank && !waiting && !failed ? (
        <Suspense>
          <EmptyGallery searching={address.search !== ''} onShowAll={showAll} />
        </Suspense>
      ) : null}
      {blank ? null : (
        <ImageWall
          images={images}
          selection={selection}
          deleting={picking.deletion.busy.size > 0 ? picking.deletion.busy : deletion.busy}
          leaving={leaving}
          onPick={picking.pick}
          onDelete={remove}
        />
      )}
      {count > 1 ? (
        <Suspense>
          <Pager page={Math.min(address.page, count)} pages={count} about={about} inFlow={selection.on} onPage={turn} />
        </Suspense>
      ) : null}
      {selection.on ? (
        <Suspense>
          <Bar
            images={picking.chosen}
            busy={picking.deletion.busy.size > 0}
            onAll={() => selecting.all(images)}
            onDelete={() => picking.deletion.ask(picking.chosen)}
            onLeave={selecting.leave}
          />
        </Suspense>
      ) : null}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {preview.id !== null && kept !== undefined ? (
        <Suspense>
          <Preview
            pages={pages}
            address={address}
            kept={kept}
            id={preview.id}
            deletion={deletion}
            onShow={preview.show}
            onClose={preview.close}
          />
        </Suspense>
      ) : null}
    </>
  );
}
