/** Maps SHA-256 to a file offset, in 40 bytes an entry outside the JavaScript heap, for the objects of a million images. */
export type HashIndex = {
  get(sha256: string): number | undefined;
  set(sha256: string, offset: number): void;
};

const WIDTH = 32;

/** Open addressing, at most two thirds full. An offset is never 0, which marks a free slot. */
export function createHashIndex(): HashIndex {
  let capacity = 2 ** 10;
  let keys = Buffer.alloc(capacity * WIDTH);
  let offsets = new Float64Array(capacity);
  let size = 0;

  /** The slot of the key, or the free slot for it. */
  function placeOf(key: Buffer): number {
    let place = key.readUInt32LE(0) % capacity;
    while (offsets[place] !== 0 && key.compare(keys, place * WIDTH, (place + 1) * WIDTH) !== 0) {
      place = (place + 1) % capacity;
    }
    return place;
  }

  function put(key: Buffer, offset: number): void {
    const place = placeOf(key);
    if (offsets[place] === 0) size += 1;
    key.copy(keys, place * WIDTH);
    offsets[place] = offset;
  }

  function grow(): void {
    const before = { keys, offsets, capacity };
    capacity *= 2;
    keys = Buffer.alloc(capacity * WIDTH);
    offsets = new Float64Array(capacity);
    size = 0;
    for (let place = 0; place < before.capacity; place++) {
      const offset = before.offsets[place];
      if (offset) put(before.keys.subarray(place * WIDTH, (place + 1) * WIDTH), offset);
    }
  }

  return {
    get: (sha256) => offsets[placeOf(Buffer.from(sha256, 'hex'))] || undefined,
    set(sha256, offset) {
      if (size >= (capacity * 2) / 3) grow();
      put(Buffer.from(sha256, 'hex'), offset);
    },
  };
}
