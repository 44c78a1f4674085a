export type Page = { found: { name: string; size: number; modified: Date }[]; more: boolean };

/** What comes or goes while it is read may show or not. */
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
