import { type RefObject, useReducer } from 'react';
import type { Image } from '../../server/contract.ts';
import { addToAlbum, changeAlbum, moveInAlbum, removeFromAlbum } from '../api/albums.ts';
import { ApiError } from '../api/api-error.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { sayAgain } from '../lib/say-again.ts';
import { queries } from '../query/queries.ts';
import { useLast, useQuery } from '../query/use-query.ts';
import { albums as texts } from '../text/words.ts';
import { offerUndo } from '../ui/toasts/undoing.ts';
import { albumPageAt, albumPagesKey, albumsChanged, type KeptAlbumPage } from './album-pages.ts';
import { attempt } from './attempt.ts';
import { reordered } from './reordered.ts';
import type { Returns } from './returns.ts';
import { useSteadyFocus } from './use-steady-focus.ts';

// Loaded with the first change.
const loadNeighbours = () => import('./neighbours.ts');
const loadReturns = () => import('./returns.ts');

/** Ignores that the image to put it before has left the album too: it stays at the end. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
}

/** Position in the whole album, from 1, of an index on a page. */
function placeOf({ images, page, total, totalPages }: KeptAlbumPage, index: number): number {
  const before = page < totalPages ? (page - 1) * images.length : total - images.length;
  return before + index + 1;
}

/** The pages of an album whose order is known, in order: the shown one, and those that no change has outdated. */
const knownPages = (id: string, shown: KeptAlbumPage): readonly KeptAlbumPage[] =>
  queries
    .entries<KeptAlbumPage>(albumPagesKey(id))
    .flatMap(([key, kept]) => (kept === shown || !queries.read(key).stale ? [kept] : []))
    .sort((one, other) => one.page - other.page);

/** Loads a page of the album. @throws the failure of the call */
async function fetchAlbumPage(id: string, number: number): Promise<KeptAlbumPage> {
  const found = await queries.fetch(albumPageAt(id, number));
  if (found.data === undefined || found.error !== undefined) throw found.error;
  return found.data;
}

/** Undoes the removal of images from an album. */
async function putBack(id: string, { groups, cover }: Returns): Promise<void> {
  await addToAlbum(
    id,
    groups.flatMap(({ ids }) => ids),
  );
  if (cover !== null) await changeAlbum(id, { cover });
  for (const { ids, before } of [...groups].reverse())
    if (before !== null) await moveInAlbum(id, ids, before).catch(unlessGone);
}

/** One page of an album, and what changes it. @param list keeps its focus when its pictures move or leave */
export function useAlbum(id: string, page: number, list: RefObject<HTMLElement | null>) {
  const query = albumPageAt(id, page);
  const { data, error, fetching } = useQuery(query);
  const shown = useLast(data);
  const keepFocus = useSteadyFocus(list, shown?.images.map((image) => image.id).join() ?? '');
  const [said, say] = useReducer(sayAgain, '');
  const [, alone] = useBusy();

  const pageOf = (number: number) => fetchAlbumPage(id, number);

  /** Runs a call and loads the page again. @returns whether the call succeeded */
  async function change(work: () => Promise<unknown>): Promise<boolean> {
    const isDone = await attempt(work);
    albumsChanged();
    await queries.fetch(query);
    return isDone;
  }

  /** @param to its index on this page */
  async function put(from: number, to: number, before: (page: KeptAlbumPage) => Promise<string | null | undefined>) {
    const moved = shown?.images[from];
    if (!shown || !moved) return;
    const target = await before(shown);
    if (target === undefined) return;
    await moveInAlbum(id, [moved.id], target);
    say(texts.moved(moved.filename, placeOf(shown, to), shown.total));
  }

  // One move at a time: the next one needs the new order.
  const move = (index: number, where: 'earlier' | 'later') =>
    alone(async () => {
      keepFocus();
      const isEarlier = where === 'earlier';
      await change(async () => {
        const { beforeEarlier, beforeLater } = await loadNeighbours();
        const before = isEarlier ? beforeEarlier : beforeLater;
        await put(index, isEarlier ? index - 1 : index + 1, (now) => before(now, index, pageOf));
      });
    });
  const drag = (from: number, place: number) =>
    alone(async () => {
      if (shown) queries.setData(query.key, { ...shown, images: reordered(shown.images, from, place) });
      const to = place > from ? place - 1 : place;
      await change(async () => {
        const { beforePlace } = await loadNeighbours();
        await put(from, to, (now) => beforePlace(now, place, pageOf));
      });
    });

  /** Removes images from the album, with an offer to undo it. */
  async function takeOut(images: readonly Image[]): Promise<boolean> {
    if (!shown) return false;
    keepFocus();
    return change(async () => {
      const { placesOf } = await loadReturns();
      const returns = await placesOf(shown.album, knownPages(id, shown), images, pageOf);
      await removeFromAlbum(
        id,
        images.map((image) => image.id),
      );
      offerUndo(
        () => texts.image.removed,
        () => void change(() => putBack(id, returns)),
      );
    });
  }

  return { shown, error, fetching, said, change, move, drag, takeOut, retry: () => void queries.fetch(query) };
}
