/** Maps SHA-256 to a number. Keys are the 32 bytes as characters: 80 bytes of heap an entry, instead of 150 in hex. */
export type HashIndex = ReturnType<typeof createHashIndex>;

const keyOf = (sha256: string) => Buffer.from(sha256, 'hex').toString('latin1');

export function createHashIndex() {
  const numbers = new Map<string, number>();
  return {
    get: (sha256: string): number | undefined => numbers.get(keyOf(sha256)),
    set: (sha256: string, value: number): void => void numbers.set(keyOf(sha256), value),
  };
}
