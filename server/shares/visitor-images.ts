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
  /** The number of an image on the page, from 1. */
  numberOf: (imageId: string) => number;
};

/** What visitors learn of images. Every address is below the share's path. Leaves out hidden and expired images. */
export function visitorImages(rows: readonly ShownImage[], { share, codes, text, numberOf }: Parts): Image[] {
  return rows.flatMap((row) => {
    // A share without originals is like one whose originals are all withheld.
    // The link of an image ends in its key: with a code in its place, all links are those of the share.
    const linked = {
      ...row,
      linkKey: codes.codeOf(row.id),
      traces: share.originals ? row.traces : 'unreadable',
    } as const;
    const image = imageAnswer(linked, share.path, true);
    if (!isOpen(image)) return [];
    const named = share.details ? {} : { filename: text.picture(numberOf(row.id)), description: '' };
    return [{ ...image, ...named }];
  });
}
