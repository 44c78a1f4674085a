/** One client: uploads, lists, views and deletes through the proxy, and holds each answer against those before it. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImagePage } from '../../server/contract.ts';
import { form, type SentFile } from '../../server/testing/form.ts';
import { type Account, pathOf } from '../../trust-tests/testing/account.ts';
import { type Answer, call } from '../../trust-tests/testing/call.ts';
import { type Kept, type Ledger, sha256 } from '../../trust-tests/testing/ledger.ts';
import { onePicture, pictures } from '../../trust-tests/testing/storm.ts';
import { deathOf } from './death.ts';
import type { CallKind, Fault } from './figures.ts';
import { sendInPieces } from './in-pieces.ts';

export type ClientParts = {
  origin: string;
  /** Of the processes that are up now. */
  direct: () => string[];
  account: Account;
  ledger: Ledger;
  /** Bytes that are uploaded again and again, so that images share them. */
  again: SentFile[];
  count: (kind: CallKind, isGood: boolean, during?: Fault) => void;
  /** Why a list call failed. */
  onFailedList: (during: Fault, why: string) => void;
  /** What is done to the cluster now. A list call counts as one of the time in which it began. */
  fault: () => Fault;
  /** What the calls for one file were answered, for who has to find out what went wrong. */
  trace: (filename: string, what: string) => void;
  /** Pictures in an upload that was answered. */
  onUpload: (pictures: number) => void;
  /** Milliseconds until its links were dead on one process: Infinity for a link that lived on. */
  onDeath: (path: string, after: number | undefined) => void;
  /** What contradicts what was said before. */
  onLost: (what: string) => void;
  onWrong: (what: string) => void;
};

const pause = 200;
export const thumbnailOf = ({ path }: Kept) => `${path.replace(/\.\w+$/, '')}/thumbnail.webp`;
const anyOf = <T>(all: Iterable<T>): T | undefined => {
  const list = [...all];
  return list.length > 0 ? list[randomInt(list.length)] : undefined;
};

export function createClient(parts: ClientParts) {
  const { origin, account, ledger, again, count } = parts;
  const { bearer } = account;

  /** Sent until it is answered, as the page does. */
  async function persistently(kind: CallKind, once: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await once().catch((error: Error) => void ledger.broken.push(error.message));
      const isAnswered = answer !== undefined && answer.status < 500;
      count(kind, isAnswered);
      if (isAnswered) return answer;
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
    const answer = await persistently('upload', () => ledger.upload(files, send));
    if (answer.status === 201) parts.onUpload(files.length);
    else parts.onWrong(`an upload was answered with ${answer.status} ${answer.body}`);
  }

  async function uploadPieces(): Promise<void> {
    const file = await onePicture(400, 300);
    ledger.sent.set(file.name, sha256(file.bytes));
    const { image, rejected } = await sendInPieces(origin, account, file, {
      onFailure: () => count('upload', false),
      onAnswer: (what) => parts.trace(file.name, what),
    });
    count('upload', image !== null);
    parts.trace(file.name, `stored as ${image?.id}`);
    if (!image) return parts.onWrong(`an upload in pieces was refused: ${JSON.stringify(rejected)}`);
    ledger.kept.set(image.id, { id: image.id, filename: image.filename, path: pathOf(image.url) });
    parts.onUpload(1);
  }

  /** A list that is answered; undefined for one that fails, which is not asked for again. */
  async function asked(path: string): Promise<Answer | undefined> {
    const during = parts.fault();
    const answer = await call(origin, path, { headers: bearer }).catch((error: Error) => error);
    const isGood = 'status' in answer && answer.status === 200;
    count('list', isGood, during);
    if (isGood) return answer;
    parts.onFailedList(during, 'status' in answer ? `${answer.status} ${answer.body.slice(0, 300)}` : answer.message);
    return undefined;
  }

  async function list(): Promise<void> {
    const kept = [...ledger.kept.keys()];
    const gone = [...ledger.gone.keys()];
    const answer = await asked('/api/images/?page=1');
    if (!answer) return;
    const ids = new Set((JSON.parse(answer.body) as ImagePage).images.map(({ id }) => id));
    for (const id of kept) if (ledger.kept.has(id) && !ids.has(id)) parts.onLost(`${id} was not listed`);
    for (const id of gone) if (ids.has(id)) parts.onWrong(`${id} was deleted, and listed`);
  }

  async function search(): Promise<void> {
    const picture = anyOf(ledger.kept.values());
    if (!picture) return;
    const part = picture.filename.slice(0, 13);
    const answer = await asked(`/api/images/?search=${part}`);
    if (!answer || !ledger.kept.has(picture.id)) return;
    const { images } = JSON.parse(answer.body) as ImagePage;
    if (!images.some(({ id }) => id === picture.id)) parts.onLost(`${picture.filename} was not found`);
  }

  async function view(): Promise<void> {
    const picture = anyOf(ledger.kept.values());
    if (!picture) return;
    for (const path of [thumbnailOf(picture), picture.path]) {
      const answer = await call(origin, path).catch(() => undefined);
      count('view', answer?.status === 200);
      const isKept = ledger.kept.has(picture.id);
      if (answer?.status === 404 && isKept) parts.onLost(`${path} was not there`);
      if (answer?.status === 200 && path === picture.path && sha256(answer.bytes) !== ledger.sent.get(picture.filename))
        parts.onLost(`${path} was not what had been uploaded`);
    }
  }

  async function remove(): Promise<void> {
    const picture = anyOf(ledger.kept.values());
    if (!picture) return;
    const paths = [picture.path, thumbnailOf(picture)];
    // Into the memory of every process, by the long way and by the short one.
    for (const at of parts.direct())
      for (const path of [...paths, ...paths]) await call(at, path).catch(() => undefined);
    // Another client may have been quicker.
    if (!ledger.kept.has(picture.id)) return;
    const answer = await persistently('deletion', () =>
      ledger.deletion(picture, (id) => call(origin, `/api/images/delete/${id}`, { method: 'DELETE', headers: bearer })),
    );
    const answered = performance.now();
    // Sent twice, by the proxy or by this client, it is answered as one of something that is not there.
    if (answer.status === 404) {
      ledger.doubtful.delete(picture.id);
      ledger.gone.set(picture.id, picture);
    } else if (answer.status !== 204) return parts.onWrong(`a deletion was answered with ${answer.status}`);
    const deaths = parts
      .direct()
      .flatMap((at) => paths.map(async (path) => parts.onDeath(`${at}${path}`, await deathOf(at, path, answered))));
    await Promise.all(deaths);
  }

  const writing = [uploadForm, uploadForm, uploadForm, uploadPieces, view, remove];
  const reading = [list, list, search, view];
  return {
    /** Sends again until it is answered. */
    write: async (): Promise<void> => anyOf(writing)?.(),
    read: async (): Promise<void> => anyOf(reading)?.(),
  };
}
