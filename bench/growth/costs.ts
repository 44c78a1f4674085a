type Results = { command: string; figures: { name: string; ours: { median: number } }[] };

export type Costs = ReturnType<typeof readCosts>;

/** @throws Error if the figure is missing */
function medianOf({ command, figures }: Results, name: string): number {
  const figure = figures.find((each) => each.name === name);
  if (!figure) throw new Error(`There is no figure "${name}": ${command}`);
  return figure.ours.median;
}

/** @param upload, costs the last results of both benches @throws Error if a figure is missing */
export function readCosts(upload: Results, costs: Results) {
  const of = (name: string) => medianOf(costs, name);
  const app = medianOf(upload, 'processor time for an image, server and decoders');
  return {
    /** Milliseconds of processor time; `behind` is the background renditions. */
    upload: {
      app,
      database: medianOf(upload, 'the same with Postgres') - app,
      behind: of('its renditions behind the answer: decoder'),
      databaseBehind: of('its renditions behind the answer: Postgres'),
      transactions: of('upload of a photograph: transactions'),
      log: of('upload of a photograph: write-ahead log'),
    },
    list: { app: of('list call: server'), database: of('list call: Postgres'), bytes: of('list call: bytes') },
    thumbnail: { app: of('view of a thumbnail: server'), bytes: of('thumbnail: bytes') },
    original: { app: of('view of an original: server'), bytes: of('original: bytes') },
    /** Streamed like an original, so its cost is scaled by its size. */
    screen: {
      app: (of('view of an original: server') * of('screen rendition: bytes')) / of('original: bytes'),
      bytes: of('screen rendition: bytes'),
    },
    /** Bytes per image. */
    stored: ['originals', 'thumbnails', 'screens'].reduce((sum, name) => sum + of(`stored for an image: ${name}`), 0),
    table: of('row of an image: table'),
    indexes: of('row of an image: indexes') + of('row of an image: counts'),
  };
}
