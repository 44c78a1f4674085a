/**
 * Refusals of a file's bytes: the server would refuse the same file again. A file whose decoding took too long is refused as
 * DAMAGED_IMAGE and may succeed later.
 */
const codes: ReadonlySet<string> = new Set(['NOT_AN_IMAGE', 'EMPTY_FILE', 'TOO_MANY_PIXELS', 'FILE_TOO_LARGE']);

/** No room for any file: in the account, the collect link, its owner's gallery or its album. */
const full: ReadonlySet<string> = new Set(['QUOTA_EXCEEDED', 'COLLECT_FULL', 'GALLERY_FULL', 'ALBUM_FULL']);

export const isFull = (code: string): boolean => full.has(code);

export const isFinalRefusal = (code: string): boolean => codes.has(code);
