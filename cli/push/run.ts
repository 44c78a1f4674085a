/** One pass over the files of a folder. */
import { isFinal, Refused } from '../api/refusal.ts';
import { reasonOf } from '../files.ts';
import type { Journal } from './journal.ts';
import { createReport, type Outcome } from './report.ts';
import type { Found, Scan } from './scan.ts';
import { placeStored, sendFile, type Target } from './send.ts';
import { createUnsent } from './unsent.ts';

/** Files that are sent at once. */
const lanes = 4;

type Pass = Target & {
  isDryRun: boolean;
  /** Called for each file that a later pass may send. */
  onFailed?: (file: Found) => void;
};

/** Sorts the files by the journal: stored, refused earlier, or maybe to be sent. */
function sortFiles(files: Found[], journal: Journal) {
  const stored: { file: Found; key: string; image: string; album?: string | undefined }[] = [];
  const refused: { file: Found; reason: string }[] = [];
  const rest: Found[] = [];
  for (const file of files) {
    const entry = journal.find(file);
    if (entry?.image) stored.push({ file, key: entry.key, image: entry.image, album: entry.album });
    else if (entry?.refused) refused.push({ file, reason: `${entry.refused} (Refused earlier.)` });
    else rest.push(file);
  }
  return { stored, refused, rest };
}

/** Several workers take from one generator. The first error ends it, after the files that are being sent. */
async function inLanes<T>(items: AsyncGenerator<T>, work: (item: T) => Promise<void>): Promise<void> {
  const lane = async () => {
    for await (const item of items) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}

/** @throws errors that concern no single file */
export async function pushFiles({ isDryRun, onFailed, ...to }: Pass, { files, failed }: Scan): Promise<Outcome> {
  const { journal } = to;
  const { stored, refused, rest } = sortFiles(files, journal);
  const report = createReport(rest, isDryRun);
  const { outcome } = report;
  const target = { ...to, connection: { ...to.connection, onWait: report.wait } };

  /** A failure of one file is reported; one that every file would have ends the pass. */
  async function guarded(file: Found, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isFinal(error)) throw error;
      if (error instanceof Refused && error.code === 'NOT_FOUND') to.forgetAlbum(file.folder);
      report.failed(file.name, reasonOf(error));
      onFailed?.(file);
    }
  }

  const unsent = createUnsent({
    connection: target.connection,
    journal,
    onPresent: ({ file, ...present }) =>
      guarded(file, async () => {
        if (!isDryRun) await placeStored(target, file, present);
        report.found(file);
      }),
    onFailed: (file, reason) => {
      report.failed(file.name, reason);
      onFailed?.(file);
    },
  });

  for (const { name, reason } of failed) report.failed(name, reason);
  for (const { file, reason } of refused) report.failed(file.name, reason);
  try {
    for (const { file, ...present } of stored)
      await guarded(file, async () => {
        if (!isDryRun) await placeStored(target, file, present);
        report.present();
      });
    await inLanes(unsent(rest), (one) =>
      guarded(one.file, async () => {
        if (isDryRun) return report.wouldSend(one.file);
        await sendFile(target, one, report.sending());
        report.stored(one.file);
      }),
    );
  } catch (error) {
    if (!isFinal(error)) throw error;
    outcome.stopped = error as Error;
    outcome.unsent = files.length + failed.length - outcome.stored - outcome.present - outcome.failed;
  } finally {
    report.end();
  }
  return outcome;
}
