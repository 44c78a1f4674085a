import { randomUUID } from 'node:crypto';
import t from 'tap';
import { DetailedError, Upload, type UploadOptions } from 'tus-js-client';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, listen } from '../../testing/app.ts';
import { noise } from '../../testing/pictures.ts';

t.setTimeout(120_000);

function send(bytes: Buffer, options: UploadOptions, onUpload?: (upload: Upload) => void): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(bytes, { ...options, onSuccess: () => resolve(upload), onError: reject });
    onUpload?.(upload);
    upload.start();
  });
}

t.test('tus-js-client uploads in parts, aborts and resumes', async (t) => {
  const app = await buildTestApp(t);
  const endpoint = `${await listen(app)}/api/uploads`;
  const account = await signIn(app);
  const bytes = await noise(600, 400, 'png');
  const name = `${randomUUID()} ünïcode.png`;
  const options = {
    endpoint,
    headers: account.bearer,
    metadata: { filename: name },
    chunkSize: 64 * 1024,
    retryDelays: [0],
  };
  const url = await new Promise<string>((resolve, reject) => {
    const upload = new Upload(bytes, {
      ...options,
      onError: reject,
      onChunkComplete(_size, accepted) {
        if (accepted >= 3 * 64 * 1024) upload.abort().then(() => resolve(String(upload.url)), reject);
      },
    });
    upload.start();
  });
  const offsets: number[] = [];
  await send(bytes, { ...options, uploadUrl: url, onChunkComplete: (_size, accepted) => offsets.push(accepted) });
  t.ok((offsets[0] ?? 0) >= 4 * 64 * 1024, 'it resumed at the aborted part');
  t.equal(offsets.at(-1), bytes.length);
  const list = await app.inject({ url: '/api/images/', headers: account.bearer });
  const [image] = list.json().images;
  t.match(image, { filename: name, size: bytes.length });
  t.equal(list.json().total, 1);
  t.ok((await app.inject(new URL(image.url).pathname)).rawPayload.equals(bytes));
});

t.test('tus-js-client receives the reason when an upload cannot be opened', async (t) => {
  const app = await buildTestApp(t, { maxFileSize: 1000 });
  const endpoint = `${await listen(app)}/api/uploads`;
  const account = await signIn(app);
  const failure = await send(Buffer.alloc(2000), { endpoint, headers: account.bearer, retryDelays: [] }).catch(
    (error) => error,
  );
  t.type(failure, DetailedError);
  t.equal(failure.originalResponse.getStatus(), 413);
  t.match(JSON.parse(failure.originalResponse.getBody()), { code: 'FILE_TOO_LARGE' });
});

t.test('tus-js-client deletes an upload that it terminates', async (t) => {
  const app = await buildTestApp(t);
  const endpoint = `${await listen(app)}/api/uploads`;
  const account = await signIn(app);
  const upload = await send(await noise(20, 20, 'png'), { endpoint, headers: account.bearer });
  await upload.abort(true);
  const answer = await app.inject({ url: new URL(String(upload.url)).pathname, headers: account.bearer });
  t.equal(answer.statusCode, 404);
});
