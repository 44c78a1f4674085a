/** Counts and prints what happens to each file of a pass. */
import { createProgress, sizeText, terminalOf } from '../progress.ts';
import type { Found } from './scan.ts';

export type Outcome = {
  stored: number;
  /** On the server before. */
  present: number;
  failed: number;
  unsent: number;
  /** Why the pass ended before its last file. */
  stopped?: Error;
};

export type Report = ReturnType<typeof createReport>;

/** @param files those that may have to be sent */
export function createReport(files: Found[], isDryRun: boolean) {
  const outcome: Outcome = { stored: 0, present: 0, failed: 0, unsent: 0 };
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const terminal = isDryRun || files.length === 0 ? undefined : terminalOf(process.stderr);
  const progress = createProgress({ files: files.length, bytes }, terminal);

  return {
    outcome,
    wait: progress.wait,
    end: progress.end,

    /** @returns a function that takes the bytes of one file that have left */
    sending(): (sent: number) => void {
      let counted = 0;
      return (sent) => {
        progress.advance(sent - counted);
        counted = sent;
      };
    },
    stored({ name }: Found): void {
      outcome.stored += 1;
      progress.fileDone();
      if (!terminal) progress.print(`stored ${name}`, 'stdout');
    },
    present(): void {
      outcome.present += 1;
    },
    /** The server has a file that the journal does not contain. */
    found({ size }: Found): void {
      outcome.present += 1;
      progress.skip(size);
    },
    wouldSend({ name, size }: Found): void {
      outcome.unsent += 1;
      progress.print(`would send ${name} (${sizeText(size)})`, 'stdout');
    },
    failed(name: string, reason: string): void {
      outcome.failed += 1;
      progress.print(`gallery: ${name}: ${reason}`, 'stderr');
    },
  };
}
