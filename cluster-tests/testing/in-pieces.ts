import { setTimeout as sleep } from 'node:timers/promises';
import { DetailedError, Upload } from 'tus-js-client';
import type { ResumableUpload } from '../../server/contract.ts';
import type { SentFile } from '../../server/testing/form.ts';
import type { Account } from '../../trust-tests/testing/account.ts';
import { call } from '../../trust-tests/testing/call.ts';
import { isAway } from './away.ts';
import type { Fault } from './figures.ts';

/** Small, so that the parts of one file reach several processes. */
const chunkSize = 16 * 1024;
const pause = 250;

type Told = {
  fault: () => Fault;
  onCall: (isGood: boolean, during: Fault, why: string) => void;
  onAnswer: (what: string) => void;
};

/** Uploads from the current offset to the end or the first failure. @returns the upload's URL, and the error */
function goOn(origin: string, { bearer }: Account, file: SentFile, url: string | null, { onAnswer }: Told) {
  return new Promise<{ url: string | null; error?: Error | DetailedError }>((resolve) => {
    const upload = new Upload(Buffer.from(file.bytes), {
      // Like the page: with an endpoint, tus-js-client would start a second upload when the first is unavailable.
      endpoint: url === null ? `${origin}/api/uploads` : null,
      uploadUrl: url,
      headers: bearer,
      metadata: { filename: file.name },
      chunkSize,
      retryDelays: null,
      onAfterResponse: (request, response) => {
        const place = response.getHeader('location') ?? request.getURL();
        const told = [response.getStatus(), response.getHeader('upload-offset') ?? response.getBody()];
        onAnswer(`${request.getMethod()} ${place.slice(-36)}: ${told.join(' ')}`);
      },
      onSuccess: () => resolve({ url: upload.url }),
      onError: (error) => resolve({ url: upload.url, error }),
    });
    upload.start();
  });
}

/** Whether an error is temporary: a broken connection, an outage, or an earlier call that still writes. */
function passes(error: Error | DetailedError): boolean {
  const status = error instanceof DetailedError ? (error.originalResponse?.getStatus() ?? 0) : 0;
  return status === 0 || isAway(status) || status === 409 || status === 423;
}

async function outcomeOf(url: string, origin: string, { bearer }: Account): Promise<ResumableUpload | Error> {
  const answer = await call(origin, new URL(url).pathname, { headers: bearer }).catch((error: Error) => error);
  if (answer instanceof Error) return answer;
  if (answer.status === 200) return JSON.parse(answer.body) as ResumableUpload;
  const failure = new Error(`the outcome of ${url}: ${answer.status} ${answer.body}`);
  if (isAway(answer.status)) return failure;
  throw failure;
}

/** Uploads a file with the tus protocol and resumes after every temporary failure. @throws permanent errors */
export async function sendInPieces(
  origin: string,
  account: Account,
  file: SentFile,
  told: Told,
): Promise<ResumableUpload> {
  for (let url: string | null = null; ; ) {
    const during = told.fault();
    const sent = await goOn(origin, account, file, url, told);
    url = sent.url;
    if (sent.error && !passes(sent.error)) throw sent.error;
    const outcome = sent.error ?? (url ? await outcomeOf(url, origin, account) : new Error('the upload has no URL'));
    const isGood = !(outcome instanceof Error);
    told.onCall(isGood, during, isGood ? '' : outcome.message);
    if (isGood) return outcome;
    told.onAnswer(outcome.message);
    await sleep(pause);
  }
}
