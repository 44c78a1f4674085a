/** The links that were watched, as plain data: the newest first, each video once. */
export const mostWatched = 10;

/** What may stand in the browser's storage, as links; anything else that stands there is none. */
export function linksFrom(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((link) => typeof link === 'string' && link !== '').slice(0, mostWatched);
}

/**
 * Puts a link in front. `sourceOf` says what a link plays: another link of the same video gives way.
 * `grownFrom`: a link that was typed on into this one, and gives way too.
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

/** The links as they were before some of them were removed, behind those that came since. */
export function restored(links: readonly string[], before: readonly string[]): readonly string[] {
  return [...links.filter((link) => !before.includes(link)), ...before].slice(0, mostWatched);
}

/** What takes the focus when `link` goes: the one that moves into its place, else nothing. */
export function nextLink(links: readonly string[], link: string): string | undefined {
  return links[links.indexOf(link) + 1];
}
