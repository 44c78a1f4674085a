/** One client: uploads, lists, views and deletes through the proxy, and compares each answer with earlier ones. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImagePage } from '../../server/contract.ts';
import { form, type SentFile } from '../../server/testing/form.ts';
import { type Account, imagesOf, pathOf } from '../../trust-tests/testing/account.ts';
import { type Answer, call } from '../../trust-tests/testing/call.ts';
import { type Kept, type Ledger, sha256 } from '../../trust-tests/testing/ledger.ts';
import { onePicture, pictures } from '../../trust-tests/testing/load/storm.ts';
import { isAway } from './away.ts';
import { deathOf } from './death.ts';
import type { CallKind, Fault } from './figures.ts';
import { sendInPieces } from './in-pieces.ts';
import type { Slot } from './slots.ts';

export type ClientParts = {
  origin: string;
  slots: readonly Slot[];
  account: Account;
  ledger: Ledger;
  /** Bytes that are uploaded repeatedly, so that images share them. */
  again: SentFile[];
  /** @returns the current fault; a call counts for the fault during which it began */
  fault: () => Fault;
  count: (kind: CallKind, isGood: boolean, during: Fault) => void;
  /** Gets why a call failed: a broken connection, or a status that means "unavailable". */
  onFailed: (kind: CallKind, during: Fault, why: string) => void;
  /** Records the answers to the calls for one file, to diagnose a finding. */
  trace: (filename: string, what: string) => void;
  onUpload: (pictures: number) => void;
  /** Runs work in parallel with the client's next calls. */
  beside: (work: Promise<void>) => void;
  /** Gets the milliseconds until a link was dead on one process; Infinity if it lived on. */
  onDeath: (path: string, after: number | undefined) => void;
  /** Gets a contradiction with earlier answers. */
  onLost: (what: string) => void;
  onWrong: (what: string) => void;
};

const pause = 200;

/** Faults during which a server may have done a call without answering it. */
const breakingOff: readonly Fault[] = ['kills', 'database restarted'];

export const thumbnailOf = ({ path }: Kept) => `${path.replace(/\.\w+$/, '')}/thumbnail.webp`;
const anyOf = <T>(all: Iterable<T>): T | undefined => {
  const list = [...all];
  return list.length > 0 ? list[randomInt(list.length)] : undefined;
};
const told = ({ status, body }: Answer) => `${status} ${body.slice(0, 300)}`;

export function createClient(parts: ClientParts) {
  const { origin, account, ledger, again, fault } = parts;
  const { bearer } = account;

  async function attempt(kind: CallKind, once: () => Promise<Answer>): Promise<Answer | undefined> {
    const during = fault();
    const answer = await once().catch((error: NodeJS.ErrnoException) => {
      // An error without a code comes from parsing an answer, not from the connection.
      if (error.code === undefined) throw error;
      return error;
    });
    const isAnswered = 'status' in answer && !isAway(answer.status);
    parts.count(kind, isAnswered, during);
    if (isAnswered) return answer;
    parts.onFailed(kind, during, 'status' in answer ? told(answer) : answer.message);
    return undefined;
  }

  /** Repeats a call until it is answered, as the page does. */
  async function persistently(kind: CallKind, once: () => Promise<Answer>) {
    for (let attempts = 1; ; attempts += 1) {
      const answer = await attempt(kind, once);
      if (answer) return { answer, attempts };
      await sleep(pause);
    }
  }

  async function uploadForm(): Promise<void> {
    const some = randomInt(3) === 0 ? again.slice(0, 1 + randomInt(2)) : await pictures(1 + randomInt(3));
    const files = some.map(({ bytes }) => ({ name: `${randomUUID()}.jpg`, bytes }));
    const keys = files.map(() => randomUUID()).join();
    const send = async (list: SentFile[]) => {
      const { headers, payload } = await form(list);
      const all = { ...headers, ...bearer, 'upload-keys': keys };
      return call(origin, '/api/images/upload', { method: 'POST', headers: all, body: payload });
    };
    const { answer } = await persistently('upload', () => ledger.upload(files, send));
    if (answer.status !== 201) return parts.onWrong(`an upload was answered with ${told(answer)}`);
    const sent = files.map(({ name }) => name).sort();
    const stored = imagesOf(answer).map(({ filename }) => filename);
    if (stored.sort().join() === sent.join()) parts.onUpload(files.length);
    else parts.onLost(`of an upload of ${sent} were answered ${stored}`);
  }

  async function uploadPieces(): Promise<void> {
    const file = await onePicture(400, 300);
    ledger.sent.set(file.name, sha256(file.bytes));
    const { image, rejected } = await sendInPieces(origin, account, file, {
      fault,
      onCall(isGood, during, why) {
        parts.count('upload', isGood, during);
        if (!isGood) parts.onFailed('upload', during, why);
      },
      onAnswer: (what) => parts.trace(file.name, what),
    });
    parts.trace(file.name, `stored as ${image?.id}`);
    if (!image) return parts.onWrong(`an upload in pieces was refused: ${JSON.stringify(rejected)}`);
    ledger.kept.set(image.id, { id: image.id, filename: image.filename, path: pathOf(image.url) });
    parts.onUpload(1);
  }

  /** @returns a list, or undefined if the call failed; it is not repeated */
  async function asked(query: string): Promise<ImagePage | undefined> {
    const answer = await attempt('list', () => call(origin, `/api/images/?${query}`, { headers: bearer }));
    if (answer?.status === 200) return JSON.parse(answer.body) as ImagePage;
    if (answer) parts.onWrong(`a list was answered with ${told(answer)}`);
    return undefined;
  }

  async function list(): Promise<void> {
    const kept = [...ledger.kept.keys()];
    const gone = [...ledger.gone.keys()];
    const page = await asked('page=1');
    if (!page) return;
    const ids = new Set(page.images.map(({ id }) => id));
    for (const id of kept) if (ledger.kept.has(id) && !ids.has(id)) parts.onLost(`${id} was not listed`);
    for (const id of gone) if (ids.has(id)) parts.onWrong(`${id} was deleted, and listed`);
  }

  async function search(): Promise<void> {
    const picture = anyOf(ledger.kept.values());
    if (!picture) return;
    const page = await asked(`search=${picture.filename.slice(0, 13)}`);
    if (!page || !ledger.kept.has(picture.id)) return;
    if (!page.images.some(({ id }) => id === picture.id)) parts.onLost(`${picture.filename} was not found`);
  }

  function judge(picture: Kept, path: string, answer: Answer): void {
    if (answer.status === 404 && !ledger.kept.has(picture.id)) return;
    if (answer.status === 404) parts.onLost(`${path} was not there`);
    else if (answer.status !== 200) parts.onWrong(`a link was answered with ${told(answer)}`);
    else if (path === picture.path && sha256(answer.bytes) !== ledger.sent.get(picture.filename))
      parts.onLost(`${path} was not what had been uploaded`);
  }

  async function view(): Promise<void> {
    const picture = anyOf(ledger.kept.values());
    if (!picture) return;
    for (const path of [thumbnailOf(picture), picture.path]) {
      const answer = await attempt('view', () => call(origin, path));
      if (answer) judge(picture, path, answer);
    }
  }

  /** Requests each link twice from every process, so that it is in the link cache and the response cache. */
  async function warm(picture: Kept, paths: string[]): Promise<void> {
    for (const slot of parts.slots.filter(({ isUp }) => isUp())) {
      for (const path of [...paths, ...paths]) {
        const answer = await call(slot.origin, path).catch(() => undefined);
        if (answer && !isAway(answer.status)) judge(picture, path, answer);
      }
    }
  }

  async function remove(): Promise<void> {
    const picture = anyOf(ledger.kept.values());
    if (!picture) return;
    const paths = [picture.path, thumbnailOf(picture)];
    await warm(picture, paths);
    if (!ledger.kept.has(picture.id)) return;
    const began = fault();
    const { answer, attempts } = await persistently('deletion', () =>
      ledger.deletion(picture, (id) => call(origin, `/api/images/delete/${id}`, { method: 'DELETE', headers: bearer })),
    );
    const answered = performance.now();
    if (answer.status === 404) {
      // A deletion sent twice, by this client or the proxy, answers 404 the second time.
      const isTwice = attempts > 1 || [began, fault()].some((time) => breakingOff.includes(time));
      if (!isTwice) parts.onWrong(`the deletion of ${picture.id} was sent once, and answered with 404`);
      ledger.unconfirmed.delete(picture.id);
      ledger.gone.set(picture.id, picture);
    } else if (answer.status !== 204) return parts.onWrong(`a deletion was answered with ${told(answer)}`);
    for (const slot of parts.slots.filter(({ isUp }) => isUp()))
      for (const path of paths)
        parts.beside(deathOf(slot, path, answered).then((after) => parts.onDeath(`${slot.origin}${path}`, after)));
  }

  const writing = [uploadForm, uploadForm, uploadForm, uploadPieces, view, remove];
  const reading = [list, list, search, view];
  return {
    write: async (): Promise<void> => anyOf(writing)?.(),
    read: async (): Promise<void> => anyOf(reading)?.(),
  };
}
