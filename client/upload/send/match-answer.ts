/** Matches the files of a request to the server's answer. */

import type { Image, Rejection } from '../../../server/contract.ts';
import type { UploadedImage, UploadResult } from '../../api/upload-images.ts';
import { sizeOf } from '../list/file-info.ts';

/** `location`: what the stored image's link does with the location in its metadata. */
export type Outcome =
  | { readonly stored: true; readonly location: Image['location']; readonly duplicate: boolean }
  | { readonly stored: false; readonly code: string; readonly message: string };

/** The filename as the server stores it: without its path and control characters. */
const cleaned = (name: string): string =>
  name
    .replace(/^.*[\\/]/su, '')
    .replace(/\p{Cc}/gu, '')
    .trim()
    .normalize('NFC');

const storedScore = (file: File, image: UploadedImage): number =>
  (cleaned(image.filename ?? '') === cleaned(file.name) ? 2 : 0) + (image.size === sizeOf(file) ? 1 : 0);

const storedAs = ({ location = 'none', duplicate = false }: UploadedImage): Outcome => ({
  stored: true,
  location,
  duplicate,
});

const refusedScore = (file: File, rejection: Rejection): number =>
  cleaned(rejection.filename) === cleaned(file.name) ? 2 : 0;

/**
 * Matches an answer to the files of its request. Both lists of the answer keep the request's order, so the match is a merge of
 * two lists. The merge with the best agreement of names and sizes wins: names repeat, and the server cleans them.
 * @returns one outcome per file, null for a file missing from the answer
 */
export function matchOutcomes(files: readonly File[], answer: UploadResult): readonly (Outcome | null)[] {
  const { images, rejected } = answer;
  if (images.length + rejected.length !== files.length) return matchByName(files, answer);
  const best = walkScores(files, answer);
  let stored = 0;
  let refused = 0;
  return files.map((file) => {
    const image = images[stored];
    const rejection = rejected[refused];
    const asStored = image ? storedScore(file, image) + (best[stored + 1]?.[refused] ?? 0) : -1;
    const asRefused = rejection ? refusedScore(file, rejection) + (best[stored]?.[refused + 1] ?? 0) : -1;
    if (image && (rejection === undefined || asStored >= asRefused)) {
      stored += 1;
      return storedAs(image);
    }
    if (rejection === undefined) return null;
    refused += 1;
    return { stored: false, code: rejection.code, message: rejection.message };
  });
}

/** best[i][r]: the highest score still possible after i images and r rejections. */
function walkScores(files: readonly File[], { images, rejected }: UploadResult): number[][] {
  const best = Array.from({ length: images.length + 2 }, () => new Array<number>(rejected.length + 2).fill(0));
  for (let i = images.length; i >= 0; i -= 1) {
    for (let r = rejected.length; r >= 0; r -= 1) {
      const file = files[i + r];
      const image = images[i];
      const rejection = rejected[r];
      if (file === undefined) continue;
      const asStored = image ? storedScore(file, image) + (best[i + 1]?.[r] ?? 0) : -1;
      const asRefused = rejection ? refusedScore(file, rejection) + (best[i]?.[r + 1] ?? 0) : -1;
      const row = best[i];
      if (row) row[r] = Math.max(asStored, asRefused);
    }
  }
  return best;
}

function matchByName(files: readonly File[], answer: UploadResult): readonly (Outcome | null)[] {
  const images = [...answer.images];
  const rejected = [...answer.rejected];
  return files.map((file) => {
    const refused = rejected.findIndex((one) => refusedScore(file, one) > 0);
    const stored = images.findIndex((one) => storedScore(file, one) >= 2);
    if (stored >= 0 && (refused < 0 || images[stored]?.size === sizeOf(file))) {
      const [image] = images.splice(stored, 1);
      return image ? storedAs(image) : null;
    }
    const [rejection] = refused >= 0 ? rejected.splice(refused, 1) : [];
    return rejection ? { stored: false, code: rejection.code, message: rejection.message } : null;
  });
}
