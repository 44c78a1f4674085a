/** The recent links as plain data: newest first, each video once. */
export const mostWatched = 10;

/** Parses the stored value; anything that is not a link is dropped. */
export function linksFrom(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((link) => typeof link === 'string' && link !== '').slice(0, mostWatched);
}

/**
 * Puts a link first. `sourceOf` returns what a link plays: another link to the same video is replaced.
 * `grownFrom`: a link that was extended by typing into this one, also replaced.
 */
export function withLink(
  links: readonly string[],
  link: string,
  sourceOf: (link: string) => string | null,
  grownFrom?: string,
): readonly string[] {
  const source = sourceOf(link);
  const others = links.filter((other) => other !== grownFrom && sourceOf(other) !== source);
  return [link, ...others].slice(0, mostWatched);
}

/** The links from before a removal, after those added since. */
export function restored(links: readonly string[], before: readonly string[]): readonly string[] {
  return [...links.filter((link) => !before.includes(link)), ...before].slice(0, mostWatched);
}

/** The link that takes the focus after a removal: the next one, else the one before. */
export function nextLink(links: readonly string[], link: string): string | undefined {
  const at = links.indexOf(link);
  return links[at + 1] ?? links[at - 1];
}
