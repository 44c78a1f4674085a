import { randomInt, randomUUID } from 'node:crypto';
import { form, type SentFile } from '../../server/testing/form.ts';
import { imagesOf, pathOf } from '../../trust-tests/testing/account.ts';
import { call } from '../../trust-tests/testing/call.ts';
import { sha256 } from '../../trust-tests/testing/ledger.ts';
import { onePicture, pictures } from '../../trust-tests/testing/load/storm.ts';
import { type Calls, describe } from './calls.ts';
import type { ClientParts } from './client-parts.ts';
import { sendInPieces } from './in-pieces.ts';

/** Uploads in both ways. Every answered one must contain what was sent. */
export function createUploads(parts: ClientParts, { persistently }: Calls) {
  const { origin, account, ledger, again, fault } = parts;

  async function uploadForm(): Promise<void> {
    const some = randomInt(3) === 0 ? again.slice(0, 1 + randomInt(2)) : await pictures(1 + randomInt(3));
    const files = some.map(({ bytes }) => ({ name: `${randomUUID()}.jpg`, bytes }));
    const keys = files.map(() => randomUUID()).join();
    const send = async (list: SentFile[]) => {
      const { headers, payload } = await form(list);
      const all = { ...headers, ...account.bearer, 'upload-keys': keys };
      return call(origin, '/api/images/upload', { method: 'POST', headers: all, body: payload });
    };
    const { answer } = await persistently('upload', () => ledger.upload(files, send));
    if (answer.status !== 201) return parts.onWrong(`an upload was answered with ${describe(answer)}`);
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

  return { uploadForm, uploadPieces };
}
