/** Why a picture was rejected. `detail` completes "The image is damaged or incomplete: %s." or the like, or names a limit. */
export type DecodeFailure = {
  code: 'NOT_AN_IMAGE' | 'EMPTY_FILE' | 'DAMAGED_IMAGE' | 'TOO_MANY_PIXELS' | 'TOO_MUCH_MEMORY';
  detail: string;
};

/** Thrown in the decoder to reject a picture; any other error is a fault of the system. */
export class Refusal extends Error {
  readonly failure: DecodeFailure;

  constructor(code: DecodeFailure['code'], detail: string) {
    super(detail);
    this.failure = { code, detail };
  }
}

export class DecoderLost extends Error {
  constructor() {
    super('The decoder ended before it was given the picture.');
  }
}

export const ENDS_TOO_EARLY = 'it ends too early';
const CORRUPT = 'its data is corrupt';
export const TOO_LONG = 'decoding it took too long';
export const TOO_MUCH_MEMORY = 'decoding it needed too much memory';
export const TOO_LITTLE_MEMORY = 'decoding it needs more memory than the server has left';
export const CRASHED = 'its data made the decoder stop';

/** The failure of a picture whose decoder was killed. Only some reasons are the picture's fault. */
export const lost = (detail: string) =>
  new Refusal(detail === TOO_MUCH_MEMORY || detail === TOO_LITTLE_MEMORY ? 'TOO_MUCH_MEMORY' : 'DAMAGED_IMAGE', detail);

export const damaged = (detail: string = CORRUPT) => new Refusal('DAMAGED_IMAGE', detail);

const count = new Intl.NumberFormat('en-US');

/** @param limit in pixels, or in the unit that `what` names */
export const tooManyPixels = (limit: number, what = 'at most') =>
  new Refusal('TOO_MANY_PIXELS', `${what} ${count.format(limit)}`);

/** Maps errors of libvips, libheif and the parsers, which name files and libraries, to messages for users. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const message = error instanceof Error ? error.message : '';
  if (/premature|truncat|unexpected end|end of (file|data|stream)|read error|beyond/i.test(message)) {
    return damaged(ENDS_TOO_EARLY);
  }
  // libheif calls sizes that contradict each other a failed allocation.
  if (/security limit/i.test(message)) return damaged();
  if (/out of memory|unable to allocate|memory allocation/i.test(message)) return lost(TOO_MUCH_MEMORY);
  return damaged();
}
