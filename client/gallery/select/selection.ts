/** Which images are selected, over all pages of the gallery. */
import type { Image } from '../../../server/contract.ts';

export interface Selection {
  /** Whether images are being selected; then a click on one selects it. */
  readonly on: boolean;
  /** by id, in the order in which they were selected */
  readonly images: ReadonlyMap<string, Image>;
  /** id of the image from which a range begins */
  readonly anchor: string | null;
  /** by id: why the last thing that was to be done with a selected image was not */
  readonly problems: ReadonlyMap<string, string>;
}

export const nothing: Selection = { on: false, images: new Map(), anchor: null, problems: new Map() };

const withImages = (selection: Selection, added: readonly Image[]): Selection => {
  const images = new Map(selection.images);
  for (const image of added) images.set(image.id, image);
  return { ...selection, on: true, images };
};

/** Without these; the mode stays. */
export function without(selection: Selection, ids: Iterable<string>): Selection {
  const images = new Map(selection.images);
  const problems = new Map(selection.problems);
  for (const id of ids) {
    images.delete(id);
    problems.delete(id);
  }
  return { ...selection, images, problems };
}

export function toggled(selection: Selection, image: Image): Selection {
  const isIn = selection.images.has(image.id);
  const next = isIn ? without(selection, [image.id]) : withImages(selection, [image]);
  return { ...next, on: true, anchor: image.id };
}

/** Every image of the page from the one picked last to this one. Where that one is not on the page, this one alone. */
export function extended(selection: Selection, image: Image, page: readonly Image[]): Selection {
  const from = page.findIndex(({ id }) => id === selection.anchor);
  const to = page.findIndex(({ id }) => id === image.id);
  if (from < 0 || to < 0) return { ...withImages(selection, [image]), anchor: image.id };
  return withImages(selection, page.slice(Math.min(from, to), Math.max(from, to) + 1));
}

export const withAll = (selection: Selection, page: readonly Image[]): Selection => withImages(selection, page);

/** What a frame drawn over the page touches, beside what was selected before it was begun. */
export const swept = (before: Selection, ids: ReadonlySet<string>, page: readonly Image[]): Selection =>
  withImages(
    before,
    page.filter(({ id }) => ids.has(id)),
  );

export const withProblems = (selection: Selection, problems: ReadonlyMap<string, string>): Selection => ({
  ...selection,
  problems: new Map([...problems].filter(([id]) => selection.images.has(id))),
});

/** The selected images, as they are now where the page tells. */
export function chosen(selection: Selection, page: readonly Image[]): Image[] {
  const now = new Map(page.map((image) => [image.id, image]));
  return [...selection.images.values()].map((image) => now.get(image.id) ?? image);
}
