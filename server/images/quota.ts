import type { UserRow } from '../../drizzle/schema.ts';
import { QuotaExceeded } from '../errors.ts';

export type Held = { images: number; bytes: number };

export const heldBy = ({ imageCount, imageBytes }: Pick<UserRow, 'imageCount' | 'imageBytes'>): Held => ({
  images: imageCount,
  bytes: imageBytes,
});

/** Undefined means unlimited. */
export type Quota = { images: number | undefined; bytes: number | undefined };

/** The limits of one account; null for those of the server. */
export type OwnQuota = Pick<UserRow, 'quotaImages' | 'quotaBytes'>;

type Settings = { quotaImages: number | undefined; quota: number | undefined };

export const serverQuota = ({ quotaImages, quota }: Settings): Quota => ({
  images: quotaImages,
  bytes: quota,
});

/** What an account may store. */
export const quotaOf = ({ quotaImages, quotaBytes }: OwnQuota, { images, bytes }: Quota): Quota => ({
  images: quotaImages ?? images,
  bytes: quotaBytes ?? bytes,
});

/** Chooses the files that fit in order; a large one does not block smaller ones after it. */
export function whatFits<T extends { size: number }>(
  files: T[],
  before: Held,
  quota: Quota,
): { fitting: T[]; held: Held } {
  const held: Held = { images: before.images, bytes: before.bytes };
  const fitting = files.filter(({ size }) => {
    const fits =
      held.images + 1 <= (quota.images ?? Number.POSITIVE_INFINITY) &&
      held.bytes + size <= (quota.bytes ?? Number.POSITIVE_INFINITY);
    if (fits) {
      held.images += 1;
      held.bytes += size;
    }
    return fits;
  });
  return { fitting, held };
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** A size in decimal units, rounded down: "9.8 GB". */
export function sizeText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${Math.floor((bytes / 1000 ** power) * 10) / 10} ${units[power]}`;
}

const countIsFull = (held: Held, quota: Quota): quota is Quota & { images: number } =>
  quota.images !== undefined && held.images >= quota.images;

/** Whether not even the smallest image can be stored. */
export function isFull(held: Held, quota: Quota): boolean {
  return countIsFull(held, quota) || (quota.bytes !== undefined && held.bytes >= quota.bytes);
}

export function quotaExceeded(held: Held, quota: Quota): Error & { code: string; statusCode: number } {
  const used = countIsFull(held, quota)
    ? `${held.images} of ${quota.images} images`
    : `${sizeText(held.bytes)} of ${sizeText(quota.bytes ?? 0)}`;
  return new QuotaExceeded(`${used} are used`) as Error & { code: string; statusCode: number };
}

/** The error for a file that does not fit, or undefined. */
export const noRoomFor = (size: number, held: Held, quota: Quota): Error | undefined =>
  whatFits([{ size }], held, quota).fitting.length > 0 ? undefined : quotaExceeded(held, quota);
