/** Sends one request, and updates its files from its progress and its result. */
import type { UploadAnswer } from '../../../server/contract.ts';
import { sizeOf } from '../list/file-info.ts';
import { type Change, type PendingFile, setAll } from '../list/pending.ts';
import type { Failure, KeyedFile, OnSent, RunHost } from './environment.ts';
import { halve } from './groups.ts';
import { matchOutcomes } from './match-answer.ts';
import { laySent } from './progress.ts';

export type SendOne = (
  host: RunHost,
  batch: readonly KeyedFile[],
  onSent: OnSent,
  signal: AbortSignal,
) => Promise<UploadAnswer>;

export const sendForm: SendOne = (host, batch, onSent, signal) => host.send(batch, onSent, signal);

export const sendPieces: SendOne = async (host, [item], onSent, signal) => {
  if (item === undefined) return { images: [], rejected: [] };
  const told = {
    onSent: (sent: number, total: number) => {
      host.lose(false);
      onSent(sent, total);
    },
    onUrl: (url: string | undefined) => host.change(setAll([item.id], { url })),
    onLost: () => host.lose(true),
  };
  return host.sendInPieces(item, told, signal);
};

export const idsOf = (items: readonly PendingFile[]): number[] => items.map((item) => item.id);

export async function sendBatch(
  host: RunHost,
  taken: readonly PendingFile[],
  limits: { maxFiles: number },
  signal: AbortSignal,
  send: SendOne,
): Promise<Failure | null> {
  const batch = taken.map((item) => ({ ...item, key: item.key ?? `${host.pageKey}-${item.id}` }));
  const ids = idsOf(batch);
  const sizes = batch.map((item) => sizeOf(item.file));
  host.change(
    new Map(
      batch.map(({ id, key, url, sent }) => [id, { status: 'sending', key, sent: url ? sent : 0, reason: undefined }]),
    ),
  );
  let hasBegun = false;
  const onSent: OnSent = (loaded, total) => {
    hasBegun = true;
    const laid = new Map(laySent(sizes, loaded, total).map((sent, index) => [ids[index], sent]));
    // Only one or two of a hundred files have moved.
    const moved = host.files().filter(({ id, sent }) => (laid.get(id) ?? sent) !== sent);
    host.change(new Map(moved.map(({ id }) => [id, { sent: laid.get(id) ?? 0 }])));
  };
  try {
    const answer = await send(host, batch, onSent, signal);
    host.change(changesOf(host, batch, answer, limits));
    return null;
  } catch (error) {
    const failure = signal.aborted ? null : host.explain(error);
    const unread = failure?.lost ? await unreadableOf(host, batch) : new Map();
    if (failure === null || signal.aborted) {
      // Paused. If it was cancelled, no file is `sending` any more.
      const sending = host.files().filter((item) => item.status === 'sending' && ids.includes(item.id));
      host.change(setAll(idsOf(sending), { status: 'waiting' }));
      return null;
    }
    if (unread.size > 0) {
      // One unreadable file makes the browser fail the whole request, without saying which.
      host.change(new Map([...setAll(ids, { status: 'waiting', sent: 0 }), ...unread]));
      return null;
    }
    if (failure.tooMany && batch.length > 1) {
      limits.maxFiles = halve(batch.length);
      host.change(setAll(ids, { status: 'waiting', sent: 0 }));
      return null;
    }
    const again = failure.away && send === sendForm;
    // A smaller request loses less if it fails.
    if (again && hasBegun) limits.maxFiles = halve(batch.length);
    if (again || failure.waitMs !== null) {
      host.change(setAll(ids, { status: 'waiting', sent: 0 }));
      return failure;
    }
    const each = failure.rejected.length === batch.length;
    host.change(
      each
        ? changesOf(host, batch, { images: [], rejected: failure.rejected }, limits)
        : setAll(ids, { status: 'refused', reason: failure.reason, sent: 0 }),
    );
    // Several files were refused without a look at each: the quota is used up, also for the waiting ones.
    return failure.full && !each && batch.length > 1 ? { ...failure, stops: true } : failure;
  }
}

async function unreadableOf(host: RunHost, batch: readonly PendingFile[]): Promise<Map<number, Change>> {
  const readable = await Promise.all(batch.map(({ file }) => host.isReadable(file)));
  const gone = idsOf(batch.filter((_, index) => !readable[index]));
  return setAll(gone, { status: 'refused', sent: 0, reason: host.unreadable });
}

function changesOf(
  host: RunHost,
  batch: readonly PendingFile[],
  answer: UploadAnswer,
  limits: { maxFiles: number },
): Map<number, Change> {
  const outcomes = matchOutcomes(
    batch.map((item) => item.file),
    answer,
  );
  const surplus = outcomes.filter((one) => one?.stored === false && one.code === 'TOO_MANY_FILES').length;
  const taken = batch.length - surplus;
  // If the server stored the first files and refused the rest as too many, the rest goes into the next request.
  const again = surplus > 0 && batch.length > 1;
  if (again) limits.maxFiles = taken > 0 ? taken : halve(batch.length);
  return new Map(
    batch.map((item, index): [number, Change] => {
      const outcome = outcomes[index];
      if (outcome?.stored) {
        const { location, duplicate } = outcome;
        return [item.id, { status: 'stored', sent: sizeOf(item.file), location, duplicate, url: undefined }];
      }
      if (again && outcome?.code === 'TOO_MANY_FILES') return [item.id, { status: 'waiting', sent: 0 }];
      return [item.id, { status: 'refused', sent: 0, reason: outcome?.message ?? host.unexplained, url: undefined }];
    }),
  );
}
