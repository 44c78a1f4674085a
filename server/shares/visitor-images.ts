import type { Image } from '../contract.ts';
import { imageAnswer, isOpen } from '../images/answer.ts';
import type { ShownImage } from '../images/columns.ts';
import type { ShareText } from './page-text.ts';
import type { createPictureCodes } from './picture-codes.ts';
import type { FoundShare } from './public-queries.ts';

type Parts = {
  share: FoundShare;
  codes: ReturnType<ReturnType<typeof createPictureCodes>>;
  text: ShareText;
  /** Numbers replace names. A hidden image has none, so that no gap shows it. */
  firstNumber: number;
};

/** What visitors learn of images. Every address is below the share's path. Leaves out hidden and expired images. */
export function visitorImages(rows: readonly ShownImage[], { share, codes, text, firstNumber }: Parts): Image[] {
  const images = rows.flatMap((row) => {
    // A share without originals is like one whose originals are all withheld.
    // The link of an image ends in its key: with a code in its place, all links are those of the share.
    const linked = {
      ...row,
      linkKey: codes.codeOf(row.id),
      traces: share.originals ? row.traces : 'unreadable',
    } as const;
    const image = imageAnswer(linked, share.path, true);
    return isOpen(image) ? [image] : [];
  });
  if (share.details) return images;
  return images.map((image, index) => ({ ...image, filename: text.picture(firstNumber + index), description: '' }));
}
