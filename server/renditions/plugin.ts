import fp from 'fastify-plugin';
import type { ImageRow } from '../../drizzle/schema.ts';
import { NoSpace } from '../errors.ts';
import { adoptChecksum, renewContent } from '../images/content-queries.ts';
import { renditions as names, wantsScreen } from '../images/rendition-names.ts';
import { createBackgroundRenditions } from './background-renditions.ts';
import { createIdleGate } from './idle-gate.ts';
import { makeLateRenditions } from './late-renditions.ts';
import { createRenditionsOnDemand, type RenditionsOnDemand } from './on-demand.ts';
import { clearOldAttempts } from './queries.ts';
import { rebuild } from './rebuild.ts';
import type { RebuildParts } from './rebuild-renditions.ts';

declare module 'fastify' {
  interface FastifyInstance {
    renditions: RenditionsOnDemand & {
      queue(images: ImageRow[]): void;
    };
  }
}

type Options = {
  /** RENDITIONS_AHEAD */
  ahead: boolean;
  /** Milliseconds without pictures to decode before background work begins. */
  idleAfter?: number | undefined;
};

export const renditions = fp<Options>(
  async (app, { ahead, idleAfter = 2_000 }) => {
    const { db, log, storage, decoder, backgroundDecoder, reserve } = app;
    const { checksums, orphanedBlobs } = app.images;
    const parts: RebuildParts = {
      storage,
      decoder,
      checksums: checksums,
      renewContent: (image, findings, write) => renewContent(db, image, findings, write),
      reconcile: orphanedBlobs.reconcile,
    };
    const onDemand = createRenditionsOnDemand({
      storage,
      checksums: checksums,
      rebuild: (row, late) => rebuild(db, parts, row, late),
      adopt: (row, name, sha256) => adoptChecksum(db, row, names[name].digest, sha256),
    });
    app.onEnd('renditions on demand', onDemand.settled);

    const idleGate = createIdleGate(idleAfter);
    decoder.subscribe(idleGate.listener);

    async function makeInBackground(row: ImageRow, signal: AbortSignal): Promise<void> {
      // The remaining space is reserved for uploads.
      if ((await reserve.room()) <= 0) throw new NoSpace();
      await makeLateRenditions({ ...parts, decoder: backgroundDecoder }, row, {
        screen: wantsScreen(row),
        avif: true,
        signal,
      });
    }

    const background = ahead ? createBackgroundRenditions({ db, idleGate, make: makeInBackground, log }) : undefined;
    app.sweeps.add('attempts at renditions', () => clearOldAttempts(db));
    app.addHook('onReady', async () => background?.start());
    app.onStop(() => {
      background?.stop();
      idleGate.close();
    });
    app.onEnd('background renditions', () => background?.close());

    function queue(images: ImageRow[]): void {
      if (images.some(({ renditionsDue }) => renditionsDue)) background?.wake();
    }
    app.decorate('renditions', { ...onDemand, queue });
  },
  { name: 'renditions', dependencies: ['decoder', 'images', 'background'] },
);
