/** Sends the files of one request. Returns what it changes, and changes nothing itself. */
import type { UploadResult } from '../../api/upload-images.ts';
import { upload as texts } from '../../text/words.ts';
import { type Change, type Changes, type PendingFile, setAll } from '../list/pending.ts';
import type { Environment, Failure, KeyedFile } from './environment.ts';
import { isFinalRefusal } from './final-refusals.ts';
import { matchOutcomes } from './match-answer.ts';

export interface GroupResult {
  readonly changes: Changes;
  /** null if the request was answered for each file, or aborted */
  readonly failure: Failure | null;
  /** how many files the server accepts in a request, if it refused some as too many; `less` for fewer than these */
  readonly fits?: number | 'less';
}

const idsOf = (files: readonly PendingFile[]): number[] => files.map(({ id }) => id);

/** @param send the request; rejects if `signal` aborts */
export async function sendGroup(
  env: Environment,
  group: readonly KeyedFile[],
  send: (signal: AbortSignal) => Promise<UploadResult>,
  signal: AbortSignal,
): Promise<GroupResult> {
  try {
    return resultOf(group, await send(signal));
  } catch (error) {
    const again = setAll(idsOf(group), { status: 'waiting' });
    const failure = signal.aborted ? null : env.explain(error);
    const unreadable = failure?.lost ? await unreadableOf(env, group) : new Map<number, Change>();
    if (failure === null || signal.aborted) return { changes: again, failure: null };
    // One unreadable file makes the browser fail the whole request, without saying which.
    if (unreadable.size > 0) return { changes: new Map([...again, ...unreadable]), failure: null };
    if (failure.tooMany && group.length > 1) return { changes: again, failure: null, fits: 'less' };
    if (failure.waitMs !== null) return { changes: again, failure };
    const each = failure.rejected.length === group.length;
    const changes = each
      ? resultOf(group, { images: [], rejected: failure.rejected }).changes
      : setAll(idsOf(group), {
          status: 'refused',
          reason: failure.reason,
          // One refusal of several files does not say which of them caused it.
          isFinal: failure.isFinal && group.length === 1,
        });
    // Several files were refused without a look at each: the quota is used up, also for the waiting ones.
    const isFull = failure.full && !each && group.length > 1;
    return { changes, failure: isFull ? { ...failure, stops: true } : failure };
  }
}

async function unreadableOf(env: Environment, group: readonly PendingFile[]): Promise<Map<number, Change>> {
  const readable = await Promise.all(group.map(({ file }) => env.isReadable(file)));
  const gone = idsOf(group.filter((_, index) => !readable[index]));
  return setAll(gone, { status: 'refused', reason: texts.reason.unreadable });
}

function resultOf(group: readonly PendingFile[], answer: UploadResult): GroupResult {
  const outcomes = matchOutcomes(
    group.map((item) => item.file),
    answer,
  );
  const surplus = outcomes.filter((one) => one?.stored === false && one.code === 'TOO_MANY_FILES').length;
  // If the server stored the first files and refused the rest as too many, the rest goes into the next request.
  const again = surplus > 0 && group.length > 1;
  const changes = new Map(
    group.map(({ id }, index): [number, Change] => {
      const outcome = outcomes[index];
      if (outcome?.stored) {
        const { location, duplicate } = outcome;
        return [id, { status: 'stored', location, duplicate, url: undefined }];
      }
      if (again && outcome?.code === 'TOO_MANY_FILES') return [id, { status: 'waiting' }];
      const reason = outcome?.message ?? texts.reason.unknown;
      return [id, { status: 'refused', reason, isFinal: isFinalRefusal(outcome?.code ?? ''), url: undefined }];
    }),
  );
  const accepted = group.length - surplus;
  return again ? { changes, failure: null, fits: accepted > 0 ? accepted : 'less' } : { changes, failure: null };
}
