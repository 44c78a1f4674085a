import type { ImageRow } from '../../drizzle/schema.ts';
import { ImageExpired, UnavailableForLegalReasons } from '../errors.ts';
import { ENDED, type Ended, endOf, hasEnded } from '../images/expiry/expiry.ts';
import { noImageAtLink } from '../images/refusals.ts';

/** The one gate before public bytes. @throws NotFound, UnavailableForLegalReasons for an image that was hidden; ImageExpired */
export function shown(found: ImageRow | Ended | undefined): ImageRow {
  if (!found) throw noImageAtLink();
  if (found === ENDED) throw new ImageExpired();
  if (found.hiddenAt) throw found.hiddenLegal ? new UnavailableForLegalReasons() : noImageAtLink();
  if (hasEnded(endOf(found))) throw new ImageExpired();
  return found;
}
