/** The storage, with the bytes of uploads counted against the reserve of a disk while they arrive. */
import { pipeline, type Readable, Transform } from 'node:stream';
import type { Partials } from './partials.ts';
import type { Reserve } from './reserve.ts';
import type { Storage } from './storage.ts';

/** Fails as `source` does, or with NoSpace; either ends with the other. */
function counted(source: Readable, reserve: Reserve): Readable {
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      reserve.write(chunk.length).then(() => done(null, chunk), done);
    },
  });
  // Its failure is the meter's, which the reader gets.
  return pipeline(source, meter, () => undefined);
}

const countedPartials = (partials: Partials, reserve: Reserve): Partials => ({
  ...partials,
  async open(upload) {
    const file = await partials.open(upload);
    return {
      ...file,
      async write(bytes) {
        await reserve.write(bytes.length);
        await file.write(bytes);
      },
    };
  },
});

/** Uploads under way end with NoSpace once they reach the reserve, however few bytes each of them announced. */
export const withinReserve = (storage: Storage, reserve: Reserve): Storage => ({
  ...storage,
  stage: (source) => storage.stage(counted(source, reserve)),
  partials: countedPartials(storage.partials, reserve),
});
