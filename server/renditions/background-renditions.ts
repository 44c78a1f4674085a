/**
 * Background renditions: screen and AVIF, the newest image first. They are made while the decoder is idle, and aborted when
 * it is needed. The rows record what is due; the queue assigns it to processes.
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
  findDue: (content: string) => Promise<ImageRow | undefined>;
  /** Due contents that are not in this queue, the newest first. */
  dueBeside: (queue: string, most: number) => Promise<Due[]>;
  make: (row: ImageRow, signal: AbortSignal) => Promise<unknown>;
};

const name = 'renditions';

/** Jobs added to the queue at once, if fewer are waiting. */
const batch = 500;

/** Job priority: seconds since November 2023, so that newer pictures come first. */
const newestFirst = (uploadedAt: Date) => Math.floor(uploadedAt.getTime() / 1000) - 1_700_000_000;

/** Uses the content as job id, so that it is queued once for all its images. */
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
    // Twice the decoder's time limit for two renditions.
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
    /** Queues the renditions of new images. */
    queue: (images: ImageRow[]): Promise<void> =>
      jobs.send(
        name,
        images
          .filter((image) => image.renditionsDue)
          .map((image) => jobOf({ content: contentIdOf(image), uploadedAt: image.uploadedAt })),
      ),

    /** Queues due contents without a job: from older versions, a backup, or a failed `queue`. */
    async findLost(): Promise<void> {
      if (!jobs.isReady() || (await jobs.depth(name)) >= batch) return;
      await jobs.send(name, (await dueBeside(name, batch)).map(jobOf));
    },
  };
}
