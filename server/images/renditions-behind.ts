/**
 * Renditions for the screen and AVIF, made when nobody waits for a picture: one after another, the newest first, broken
 * off as soon as somebody does. What is due stands in the rows, so nothing is forgotten by a stop.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { ImageRow } from '../../drizzle/schema.ts';
import { DamagedOriginal, NotFound, RenditionUnavailable } from '../errors.ts';
import type { Quiet } from './quiet.ts';

type Parts = {
  quiet: Quiet;
  /** The newest image whose renditions are due, but for some. */
  nextDue: (without: string[]) => Promise<ImageRow | undefined>;
  make: (row: ImageRow, signal: AbortSignal) => Promise<unknown>;
  /** Writes down that nothing more is due. */
  giveUp: (row: ImageRow) => Promise<void>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Milliseconds after which it is tried again where the database or the storage failed. */
  patience?: number;
};

/**
 * Images that are passed over until the next start: a decoder that was ended, as where memory was short, says nothing of
 * its picture. Beyond so many they are given up.
 */
const mostPassedOver = 1_000;

export type RenditionsBehind = ReturnType<typeof createRenditionsBehind>;

const isThePictures = (error: unknown) => error instanceof DamagedOriginal || error instanceof RenditionUnavailable;

export function createRenditionsBehind({ quiet, nextDue, make, giveUp, log, patience = 60_000 }: Parts) {
  const passedOver = new Set<string>();
  let isClosed = false;
  let isRunning = false;
  let isTold = false;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** @returns whether there may be more */
  async function makeNext(signal: AbortSignal): Promise<boolean> {
    if (isClosed) return false;
    const row = await nextDue([...passedOver]);
    if (!row || isClosed) return false;
    try {
      await make(row, signal);
    } catch (error) {
      if (signal.aborted || error instanceof NotFound) return true;
      if (!isThePictures(error)) throw error;
      if (passedOver.size < mostPassedOver) passedOver.add(row.id);
      else await giveUp(row);
    }
    return true;
  }

  async function work(): Promise<void> {
    isTold = false;
    while (await makeNext(await quiet.next()));
  }

  function wake(): void {
    isTold = true;
    if (isRunning || isClosed) return;
    isRunning = true;
    clearTimeout(timer);
    running = work()
      .catch((err: unknown) => {
        if (isClosed) return;
        isTold = false;
        log.warn({ err }, 'renditions behind the answer are not made now; the next minute tries again');
        timer = setTimeout(wake, patience).unref();
      })
      .finally(() => {
        isRunning = false;
        if (isTold) wake();
      });
  }

  return {
    /** Told when images have come: looks for what is due, unless it does already. */
    wake,

    /** Resolves when it is at nothing any more. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      quiet.close();
      await running;
    },
  };
}
