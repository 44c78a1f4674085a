import { Readable } from 'node:stream';
import t from 'tap';
import { serve } from '../testing/serve.ts';
import { uploadResumable } from './resumable.ts';
import { bytesSource } from './upload.ts';

const path = '/api/uploads/u';

/** Records the path that the next run would continue. */
function hooksOf() {
  const urls: (string | undefined)[] = [];
  const hooks = {
    onProgress: () => {},
    check: async () => {},
    onUrl: (url: string | undefined) => void urls.push(url),
  };
  return { urls, hooks };
}

t.test('an upload without an image is not continued by the next run', async (t) => {
  const rejected = { filename: 'a.png', code: 'QUOTA_EXCEEDED', message: 'Your account is full.' };
  for (const [outcome, code] of [
    [{ image: null, rejected }, 'QUOTA_EXCEEDED'],
    [{ image: null, rejected: null }, 'NOT_FOUND'],
  ] as const) {
    const { connection } = await serve(t, ({ method }, response) => {
      if (method === 'HEAD') response.writeHead(200, { 'upload-offset': '4' }).end();
      else response.end(JSON.stringify(outcome));
    });
    const { urls, hooks } = hooksOf();
    const source = bytesSource('a.png', Buffer.from('four'));
    await t.rejects(uploadResumable(connection, source, { key: 'k', begun: path }, hooks), { code });
    t.same(urls, [undefined], code);
  }
});

t.test('a file that became shorter ends its upload at once', { timeout: 10_000 }, async (t) => {
  const calls: (string | undefined)[] = [];
  const { connection } = await serve(t, (request, response) => {
    calls.push(request.method);
    request.on('error', () => {}).resume();
    if (request.method === 'POST') response.writeHead(201, { location: path }).end();
    if (request.method === 'DELETE') response.writeHead(204).end();
  });
  const { urls, hooks } = hooksOf();
  const source = { name: 'a.png', size: 4, read: () => Readable.from([Buffer.from('two')]) };
  await t.rejects(uploadResumable(connection, source, { key: 'k' }, hooks), { message: /^The file changed/ });
  t.same(urls, [path, undefined]);
  t.same(calls.at(-1), 'DELETE', 'the server forgets it');
});
