import type { ImageRow } from '../../drizzle/schema.ts';
import type { ImageChange } from '../contract.ts';
import type { Access } from '../database/statements/access.ts';
import { InvalidRequest } from '../errors.ts';
import { endOf } from '../images/expiry/expiry.ts';
import { durationOf, durationWithin, IMAGE_LIFETIME } from '../lib/duration.ts';

/** ISO 8601 with a time zone: without one, readers would disagree about the moment. */
const momentForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** @throws InvalidRequest */
function readMoment(sent: string): Date {
  const end = new Date(momentForm.test(sent) ? sent : Number.NaN);
  const { least, most, words } = IMAGE_LIFETIME;
  const left = end.getTime() - Date.now();
  if (left >= least && left <= most) return end;
  throw new InvalidRequest(
    `The field "expires_at" needs a moment ${words} from now with a time zone, for example 2030-01-31T12:00:00Z.`,
  );
}

/** @returns the new end of an image; null for never; undefined if it stays @throws InvalidRequest */
export function readEnd({ expires_in, expires_at }: ImageChange): Date | null | undefined {
  if (expires_in !== undefined && expires_at !== undefined) {
    throw new InvalidRequest('Send either "expires_in" or "expires_at".');
  }
  if (typeof expires_in === 'string') {
    return new Date(Date.now() + durationWithin('expires_in', expires_in, IMAGE_LIFETIME));
  }
  if (typeof expires_at === 'string') return readMoment(expires_at);
  return expires_in === null || expires_at === null ? null : undefined;
}

/** Whether a new end deletes the image earlier. */
export const isEarlier = (end: Date | null, image: Pick<ImageRow, 'expiresAt'>): boolean =>
  end !== null && end.getTime() < endOf(image);

/** A token with `images_expire_in` may bring an end forward, or put it within that time of the upload. @throws InvalidRequest */
export function assertEndAllowed(
  end: Date | null,
  { imagesExpireIn }: Pick<Access, 'imagesExpireIn'>,
  image: Pick<ImageRow, 'uploadedAt' | 'expiresAt'>,
): void {
  if (imagesExpireIn === null) return;
  const latest = image.uploadedAt.getTime() + (durationOf(imagesExpireIn) ?? 0);
  if (end !== null && end.getTime() <= Math.max(latest, endOf(image))) return;
  throw new InvalidRequest(`With this API token, an image may exist for at most ${imagesExpireIn} after its upload.`);
}
