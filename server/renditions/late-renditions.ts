import type { ImageRow } from '../../drizzle/schema.ts';
import { RenditionUnavailable } from '../errors.ts';
import { screenAvifKey, screenKey, thumbnailAvifKey } from '../images/keys.ts';
import { sha256Of } from '../lib/sha256.ts';
import { type RebuildParts, renewRenditions, withSoundOriginal } from './rebuild-renditions.ts';

type Wanted = { screen: boolean; avif: boolean; signal?: AbortSignal };

const digestOf = (bytes: Buffer | undefined) => (bytes ? sha256Of(bytes) : null);

/** @throws DamagedOriginal, RenditionUnavailable, NotFound if the row is deleted, storage errors, an aborted signal's reason */
export async function makeLateRenditions(
  parts: RebuildParts,
  row: ImageRow,
  { signal, ...wanted }: Wanted,
): Promise<ImageRow> {
  const outcome = await withSoundOriginal(parts, row, (path) => parts.decoder.decode(path, { wanted, signal }));
  if (!outcome.ok) throw new RenditionUnavailable();
  const { screen, screenAvif, thumbnailAvif } = outcome.image;
  return renewRenditions(
    parts,
    row,
    {
      ...(screen && !row.hasScreen ? { screenSha256: sha256Of(screen) } : {}),
      ...(wanted.avif
        ? {
            screenAvifSha256: digestOf(screenAvif),
            thumbnailAvifSha256: digestOf(thumbnailAvif),
            renditionsDue: false,
          }
        : {}),
    },
    [
      [screenKey(row), row.hasScreen ? undefined : screen],
      [screenAvifKey(row), screenAvif],
      [thumbnailAvifKey(row), thumbnailAvif],
    ],
  );
}
