/** Records a command's run, so that the administrator's page shows its progress and its result. */
import { Option } from 'commander';
import type { Database } from '../../database/connect.ts';
import type { Progress } from '../../lib/progress.ts';
import {
  beginJob,
  finishJob,
  insertJob,
  type JobKind,
  type JobProgress,
  type JobResult,
  noteProgress,
} from './queries.ts';

/** Milliseconds between two notes, which are also signs of life. */
const INTERVAL = 2000;

type Run = {
  kind: JobKind;
  /** Of a run that was started on the page; undefined for a command. */
  id: string | undefined;
  signal: AbortSignal;
  /** A sentence for the reader of a failure. */
  about?: string;
};

export type Recording = {
  /** Passes on to the terminal's own. */
  progress: (shown: Progress) => Progress;
};

/**
 * @param work returns what the page shows, and a value
 * @throws the error of `work`
 */
export async function recorded<T>(
  db: Database,
  { kind, id: given, signal, about = '' }: Run,
  work: (recording: Recording) => Promise<JobResult & { value: T }>,
): Promise<T> {
  // Runs unrecorded beside another run of this kind, and on a database that accepts no row.
  const id = given ?? (await insertJob(db, kind, 'command line').catch(() => undefined))?.id;
  const isOwn = id !== undefined && (await beginJob(db, id));
  const state: JobProgress = { step: null, done: 0, total: null };
  const timer = setInterval(() => {
    if (isOwn) noteProgress(db, id, state).catch(() => undefined);
  }, INTERVAL);
  const finish = async (outcome: 'done' | 'failed', result: JobResult) => {
    clearInterval(timer);
    if (isOwn) await finishJob(db, id, outcome, result);
  };
  try {
    const { value, ...result } = await work({
      progress: (shown) => ({
        begin(label, total) {
          Object.assign(state, { step: label, done: 0, total });
          shown.begin(label, total);
        },
        advance(amount) {
          state.done += amount;
          shown.advance(amount);
        },
        end: shown.end,
      }),
    });
    await finish('done', result);
    return value;
  } catch (error) {
    const reason = signal.aborted ? 'It was interrupted.' : error instanceof Error ? error.message : String(error);
    await finish('failed', { summary: `${reason} ${about}`.trim(), findings: [] }).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Passed by the server, for a run that was started on the page. */
export const jobOption = (): Option => new Option('--job <id>').hideHelp();
