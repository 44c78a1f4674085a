import { pipeline, type Readable, Transform } from 'node:stream';
import type { Partials } from '../partials.ts';
import type { Storage } from '../storage.ts';
import type { Reserve } from './reserve.ts';

/** Fails with the source's error or NoSpace, and then closes the source. */
function counted(source: Readable, reserve: Reserve): Readable {
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      reserve.write(chunk.length).then(() => done(null, chunk), done);
    },
  });
  // The reader gets the error from the meter.
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

/** Counts uploaded bytes against the reserve; uploads in progress fail with NoSpace once they reach it. */
export const withinReserve = (storage: Storage, reserve: Reserve): Storage => ({
  ...storage,
  stage: (source) => storage.stage(counted(source, reserve)),
  partials: countedPartials(storage.partials, reserve),
});
