/** The selected images, across all pages of the gallery. */
import type { Image } from '../../../server/contract.ts';

export interface Selection {
  /** Whether selection mode is on: a click on an image then selects it. */
  readonly on: boolean;
  /** by id, in the order of selection */
  readonly images: ReadonlyMap<string, Image>;
  /** id of the image where a range starts */
  readonly anchor: string | null;
  /** by id: why the last action on a selected image failed */
  readonly problems: ReadonlyMap<string, string>;
}

export const nothing: Selection = { on: false, images: new Map(), anchor: null, problems: new Map() };

const withImages = (selection: Selection, added: readonly Image[]): Selection => {
  const images = new Map(selection.images);
  for (const image of added) images.set(image.id, image);
  return { ...selection, on: true, images };
};

/** Removes images from the selection; the mode stays on. */
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

/** Selects the page's images from the last picked one to this one, or only this one if that one is on another page. */
export function extended(selection: Selection, image: Image, page: readonly Image[]): Selection {
  const from = page.findIndex(({ id }) => id === selection.anchor);
  const to = page.findIndex(({ id }) => id === image.id);
  if (from < 0 || to < 0) return { ...withImages(selection, [image]), anchor: image.id };
  return withImages(selection, page.slice(Math.min(from, to), Math.max(from, to) + 1));
}

export const withAll = (selection: Selection, page: readonly Image[]): Selection => withImages(selection, page);

/** The images that a frame touches, added to the selection from before the frame. */
export const swept = (before: Selection, ids: ReadonlySet<string>, page: readonly Image[]): Selection =>
  withImages(
    before,
    page.filter(({ id }) => ids.has(id)),
  );

export const withProblems = (selection: Selection, problems: ReadonlyMap<string, string>): Selection => ({
  ...selection,
  problems: new Map([...problems].filter(([id]) => selection.images.has(id))),
});

/** The selected images as they were last loaded: one may have been renamed since it was selected. */
export function chosen(selection: Selection, kept: ReadonlyMap<string, Image>): Image[] {
  return [...selection.images.values()].map((image) => kept.get(image.id) ?? image);
}
