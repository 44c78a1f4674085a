type Page = { found: { name: string; size: number; modified: Date }[]; more: boolean };

/** Lists all pages. Objects created or removed meanwhile may be missing or included. */
export async function* allPages(
  pageAfter: (after: string | undefined) => Promise<Page>,
): AsyncGenerator<Page['found'][0]> {
  for (let after: string | undefined; ; ) {
    const { found, more }: Page = await pageAfter(after);
    yield* found;
    after = found.at(-1)?.name;
    if (!more) return;
  }
}
