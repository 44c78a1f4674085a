/**
 * Renditions for the screen and AVIF, made when nobody waits for a picture: by one process at a time, the newest first,
 * broken off as soon as somebody does. What is due stands in the rows; the queue says whose turn it is.
 */
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Sent, Work } from '../background/jobs.ts';
import { DamagedOriginal, NotFound, RenditionUnavailable } from '../errors.ts';
import { contentIdOf } from '../images/keys.ts';
import type { IdleGate } from './idle-gate.ts';
import type { Due } from './queries.ts';

type Parts = {
  idleGate: IdleGate;
  jobs: {
    work(work: Work): void;
    send(name: string, jobs: Sent[]): Promise<void>;
    depth(name: string): Promise<number>;
    isReady(): boolean;
  };
  /** The newest image of a content whose renditions are due. */
  findDue: (content: string) => Promise<ImageRow | undefined>;
  /** Contents that are due and not in this queue, the newest first. */
  dueBeside: (queue: string, most: number) => Promise<Due[]>;
  make: (row: ImageRow, signal: AbortSignal) => Promise<unknown>;
};

const name = 'renditions';

/** Jobs that are put into the queue at once, where fewer wait there: all the others stand in the rows. */
const batch = 500;

/** Seconds from 2023 on: the later a picture came, the earlier it is its turn. */
const newestFirst = (uploadedAt: Date) => Math.floor(uploadedAt.getTime() / 1000) - 1_700_000_000;

/** A content is queued once, however many images name it. */
const jobOf = ({ content, uploadedAt }: Due): Sent => ({
  id: content,
  data: { content },
  priority: newestFirst(uploadedAt),
});

const isThePictures = (error: unknown) => error instanceof DamagedOriginal || error instanceof RenditionUnavailable;

export type BackgroundRenditions = ReturnType<typeof createBackgroundRenditions>;

export function createBackgroundRenditions({ idleGate, jobs, findDue, dueBeside, make }: Parts) {
  jobs.work({
    name,
    // Twice what the decoder may take for two renditions.
    expireIn: 150,
    retries: 4,
    retryAfter: 60,
    when: idleGate.whenIdle,
    isOwn: isThePictures,
    async run({ id }, signal) {
      const row = await findDue(id);
      if (!row) return;
      await make(row, signal).catch((error: unknown) => {
        if (!(error instanceof NotFound)) throw error;
      });
    },
  });

  return {
    /** Told of images that have come. */
    queue: (images: ImageRow[]): Promise<void> =>
      jobs.send(
        name,
        images
          .filter((image) => image.renditionsDue)
          .map((image) => jobOf({ content: contentIdOf(image), uploadedAt: image.uploadedAt })),
      ),

    /** What came from older versions or a backup, or was lost on its way into the queue. */
    async findLost(): Promise<void> {
      if (!jobs.isReady() || (await jobs.depth(name)) >= batch) return;
      await jobs.send(name, (await dueBeside(name, batch)).map(jobOf));
    },
  };
}
