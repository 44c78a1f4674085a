/** Refusals of a file's bytes: the server would refuse the same file again. */
const codes: ReadonlySet<string> = new Set([
  'NOT_AN_IMAGE',
  'DAMAGED_IMAGE',
  'EMPTY_FILE',
  'TOO_MANY_PIXELS',
  'FILE_TOO_LARGE',
]);

export const isFinalRefusal = (code: string): boolean => codes.has(code);
