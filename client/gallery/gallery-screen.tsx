import { type ComponentType, Suspense, useEffect, useMemo } from 'react';
import { Redirect } from 'wouter';
import type { Image } from '../../server/contract.ts';
import type { PreviewDeletion } from '../image/preview/preview.tsx';
import { type PageInUrl, returningOn, usePreview } from '../image/use-preview.ts';
import { ImageWall } from '../image/wall/image-wall.tsx';
import type { KeptPage } from '../image/wall/kept-page.ts';
import { SkeletonWall } from '../image/wall/skeleton-wall.tsx';
import { focusOrHeading } from '../lib/focus.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { withLaterWords } from '../text/language.ts';
import { gallery as texts, undo as undone } from '../text/words.ts';
import { LoadError } from '../ui/page/load-error.tsx';
import { LoadingLine } from '../ui/progress/loading-line.tsx';
import { offerUndo } from '../ui/toasts/undoing.ts';
import { type Address, formatAddress, parseAddress } from './address.ts';
import { useDeleteActions } from './delete/use-delete-actions.ts';
import { loadDeletion, useDeletion } from './delete/use-deletion.ts';
import { imagesAt } from './images-at.ts';
import type { Selection } from './select/selection.ts';
import type { SelectionBarProps } from './select/selection-bar.tsx';
import { usePicking } from './select/use-picking.ts';
import type { Selecting } from './select/use-selection.ts';
import type { Go } from './use-address.ts';
import { useImagePage } from './use-image-page.ts';
import { addressInstead, otherPage, useNextPage } from './use-next-page.ts';
import { useResultSpeech } from './use-result-speech.ts';

const loadPreview = () => withLaterWords(import('../image/preview/owner-preview.tsx'));
const Preview = lazyPart(async () => ({ default: (await loadPreview()).OwnerPreview }));
type LoadBar = () => Promise<{ default: ComponentType<Omit<SelectionBarProps, 'further'>> }>;

const Pager = lazyPart(async () => ({ default: (await import('../ui/page/pager.tsx')).Pager }));
const loadEmpty = () => withLaterWords(import('./empty-gallery.tsx'));
const EmptyGallery = lazyPart(async () => ({ default: (await loadEmpty()).EmptyGallery }));
const SearchNotes = lazyPart(async () => ({
  default: (await withLaterWords(import('./finding/search-notes.tsx'))).SearchNotes,
}));

/** Fetches what the first click may need. A failure is reported only when the part is needed. */
function usePrefetch(loadBar: LoadBar): void {
  useEffect(
    () => whenIdle(() => void Promise.all([loadPreview(), loadBar(), loadDeletion()]).catch(() => undefined)),
    [loadBar],
  );
}

/** The gallery's page in the URL, for the overlay. */
function usePageInUrl(address: Address, go: Go, kept: KeptPage | undefined): PageInUrl {
  return useMemo(
    () => ({
      read: () => parseAddress(location.search).page,
      format: (page) => `${location.pathname}${formatAddress(otherPage(address, page, kept))}`,
      replace: (page) => go(otherPage(address, page, kept), 'replace'),
    }),
    [address, go, kept],
  );
}

interface GalleryScreenProps {
  address: Address;
  go: Go;
  selection: Selection;
  selecting: Selecting;
  /** Loads the selection bar; must stay the same function. */
  loadBar: LoadBar;
}

const NONE: readonly Image[] = [];

/** Other pages of the list, and the list without its search. */
function listNavigation(address: Address, go: Go, kept: KeptPage | undefined) {
  return {
    turn(page: number): void {
      go(otherPage(address, page, kept), 'push');
      window.scrollTo(0, 0);
    },
    showAll(): void {
      go({ ...address, page: 1, deleted: 0, search: '' }, 'push');
      focusOrHeading(null);
      offerUndo(
        () => undone.search,
        () => go(address, 'push'),
      );
    },
  };
}

interface OverlayProps {
  address: Address;
  kept: KeptPage | undefined;
  preview: ReturnType<typeof usePreview>;
  deletion: PreviewDeletion;
}

function Overlay({ address, kept, preview: { id, show, close }, deletion }: OverlayProps) {
  if (id === null || kept === undefined) return null;
  return (
    <Suspense fallback={<LoadingLine at="window" />}>
      <Preview
        pageOf={(page) => imagesAt(otherPage(address, page, kept))}
        page={address.page}
        kept={kept}
        id={id}
        deletion={deletion}
        onShow={show}
        onClose={close}
      />
    </Suspense>
  );
}

export function GalleryScreen({ address, go, selection, selecting, loadBar }: GalleryScreenProps) {
  const { kept, stale, fetching, failed, retry } = useImagePage(address);
  const images = kept?.images ?? NONE;
  const preview = usePreview(usePageInUrl(address, go, kept));
  const deletion = useDeletion({ address, go, images, preview }, (gone) => selecting.drop(gone.map(({ id }) => id)));
  const picking = usePicking({ selection, selecting, images, open: preview.open });
  const { removeOne, removeChosen, inPreview } = useDeleteActions(deletion, selecting, picking.chosen);
  const said = useResultSpeech(address, kept, stale);
  const Bar = useMemo(() => lazyPart(loadBar), [loadBar]);
  usePrefetch(loadBar);
  useNextPage(address, stale ? undefined : kept);

  const instead = addressInstead(address, kept, stale);
  const { turn, showAll } = listNavigation(address, go, kept);
  const count = kept?.totalPages ?? 0;
  const about = kept?.total_is_estimate ?? false;
  const blank = images.length === 0;
  const waiting = !failed && blank && (kept === undefined || stale || instead !== null || (fetching && kept.total > 0));
  return (
    <>
      {instead === null ? null : <Redirect to={`${location.pathname}${formatAddress(instead)}`} replace />}
      {stale || kept?.search_notes === undefined ? null : (
        <Suspense>
          <SearchNotes notes={kept.search_notes} />
        </Suspense>
      )}
      {stale && fetching && !blank ? <LoadingLine at="window" /> : null}
      {failed ? (
        <LoadError
          size={blank ? 'page' : 'bar'}
          isSilent
          text={texts.loadFailed}
          retry={texts.retry}
          busy={fetching}
          onRetry={retry}
        />
      ) : null}
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
          deleting={deletion.busy}
          leaving={deletion.leaving}
          returning={stale ? null : returningOn(preview, address.page)}
          onReturned={preview.returned}
          onPick={picking.pick}
          onDelete={removeOne}
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
            busy={picking.chosen.some(({ id }) => deletion.busy.has(id))}
            onAll={() => selecting.all(images)}
            onDelete={() => void removeChosen()}
            onLeave={selecting.leave}
          />
        </Suspense>
      ) : null}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <Overlay address={address} kept={kept} preview={preview} deletion={inPreview} />
    </>
  );
}
