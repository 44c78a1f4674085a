import { setTimeout as sleep } from 'node:timers/promises';
import { Upload } from 'tus-js-client';
import type { PiecewiseUpload } from '../../server/contract.ts';
import type { SentFile } from '../../server/testing/form.ts';
import type { Account } from '../../trust-tests/testing/account.ts';
import { call } from '../../trust-tests/testing/call.ts';

/** Small, so that the pieces of one file come to several processes. */
const chunkSize = 16 * 1024;
/** Milliseconds before a piece is sent again; after one that came, they begin anew. */
const retryDelays = Array.from({ length: 240 }, () => 250);

type Told = { onFailure: (what: string) => void; onAnswer: (what: string) => void };

/** Uploads a file by the tus protocol, however often it breaks off. @returns what became of it */
export async function sendInPieces(
  origin: string,
  { bearer }: Account,
  { name, bytes }: SentFile,
  { onFailure, onAnswer }: Told,
): Promise<PiecewiseUpload> {
  const url = await new Promise<string>((resolve, reject) => {
    const upload = new Upload(Buffer.from(bytes), {
      endpoint: `${origin}/api/uploads`,
      headers: bearer,
      metadata: { filename: name },
      chunkSize,
      retryDelays,
      onAfterResponse: (request, response) => {
        const place = response.getHeader('location') ?? request.getURL();
        onAnswer(
          `${request.getMethod()} ${place.slice(-36)}: ${response.getStatus()} ${response.getHeader('upload-offset')}`,
        );
        if (response.getStatus() >= 400) onFailure(`${response.getStatus()} ${response.getBody()}`);
      },
      onSuccess: () => resolve(String(upload.url)),
      onError: reject,
    });
    upload.start();
  });
  for (;;) {
    const answer = await call(origin, new URL(url).pathname, { headers: bearer }).catch(() => undefined);
    if (answer?.status === 200) return JSON.parse(answer.body) as PiecewiseUpload;
    if (answer && answer.status < 500) throw new Error(`the outcome of ${url}: ${answer.status} ${answer.body}`);
    onFailure(`outcome: ${answer?.status}`);
    await sleep(250);
  }
}
