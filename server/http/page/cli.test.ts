import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Fastify from 'fastify';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../../testing/app.ts';
import { errorHandler } from '../errors/error-handler.ts';
import { cli } from './cli.ts';

async function serve(t: Test, file: string) {
  const app = Fastify();
  t.teardown(() => app.close());
  await app.register(errorHandler);
  await app.register(cli, { file });
  return app;
}

t.test('a download of the client matches its checksum and is revalidated', async (t) => {
  const folder = await temporaryFolder(t);
  const source = 'console.log("é");\n';
  await writeFile(join(folder, 'built.mjs'), source);
  const app = await serve(t, join(folder, 'built.mjs'));
  const program = await app.inject('/cli/gallery.mjs');
  const checksum = await app.inject('/cli/gallery.mjs.sha256');
  t.equal(program.body, source);
  t.match(program.headers, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' });
  t.match(checksum.headers, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' });
  await writeFile(join(folder, 'gallery.mjs'), program.rawPayload);
  const { status, stdout } = spawnSync('sha256sum', ['--check'], { cwd: folder, input: checksum.rawPayload });
  t.equal(status, 0, String(stdout));
  const again = await app.inject({
    url: '/cli/gallery.mjs',
    headers: { 'if-none-match': String(program.headers.etag) },
  });
  t.equal(again.statusCode, 304);
  t.equal(again.body, '');
});

t.test('without the built client, both addresses answer 404 with a sentence', async (t) => {
  const app = await serve(t, '/nowhere/gallery.mjs');
  for (const url of ['/cli/gallery.mjs', '/cli/gallery.mjs.sha256']) {
    const answer = await app.inject(url);
    t.equal(answer.statusCode, 404);
    t.match(answer.json().message, /^This server was built without its command line client\./);
  }
});
