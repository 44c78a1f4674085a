import fp from 'fastify-plugin';
import type { ImageRow } from '../../drizzle/schema.ts';
import { NoSpace } from '../errors.ts';
import { wantsScreen } from '../images/rendition-names.ts';
import { createBackgroundRenditions } from './background-renditions.ts';
import { createIdleGate } from './idle-gate.ts';
import { createRenditionsOnDemand, type RenditionsOnDemand } from './on-demand.ts';
import { clearOldAttempts } from './queries.ts';
import { makeBackgroundRenditions } from './rebuild-renditions.ts';

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
    const parts = { db, storage, decoder, checksums, orphanedBlobs };
    const onDemand = createRenditionsOnDemand(parts);
    app.shutdown.onClose('renditions on demand', onDemand.settled);

    const idleGate = createIdleGate(idleAfter);
    decoder.subscribe(idleGate.listener);

    async function makeInBackground(row: ImageRow, signal: AbortSignal): Promise<void> {
      // The remaining space is reserved for uploads.
      if ((await reserve.room()) <= 0) throw new NoSpace();
      const need = { screen: wantsScreen(row), avif: true };
      await makeBackgroundRenditions({ ...parts, decoder: backgroundDecoder }, row, need, signal);
    }

    const background = ahead ? createBackgroundRenditions({ db, idleGate, make: makeInBackground, log }) : undefined;
    app.sweeps.add('attempts at renditions', () => clearOldAttempts(db));
    app.addHook('onReady', async () => background?.start());
    app.shutdown.onStop(() => {
      background?.stop();
      idleGate.close();
    });
    app.shutdown.onClose('background renditions', () => background?.close());

    function queue(images: ImageRow[]): void {
      if (images.some(({ renditionsDue }) => renditionsDue)) background?.wake();
    }
    app.decorate('renditions', { ...onDemand, queue });
  },
  { name: 'renditions', dependencies: ['decoder', 'images', 'background'] },
);
