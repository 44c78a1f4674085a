/** `push` of 2,000 files, killed ten times. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { createApiToken } from '../../server/testing/api-token.ts';
import { buildTestApp, listen, temporaryFolder } from '../../server/testing/app.ts';
import { rowsOf } from '../../server/testing/collections/collection.ts';
import { createTestDatabase } from '../../server/testing/postgres/database.ts';
import { createClient, type Seen, sending, watchCalls } from '../testing/client.ts';

const files = 2000;
const kills = 10;

/** A valid picture with different bytes for each number, made without an encoder. */
const svg = (index: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><desc>${index}</desc><rect width="8" height="8" fill="#3a7"/></svg>`;

t.test(
  `${files} files pushed by a client that is killed ${kills} times are stored once, and not sent again`,
  async (t) => {
    const database = await createTestDatabase(t);
    const app = await buildTestApp(t, { databaseUrl: database.url, pageSize: files + 1 });
    const origin = await listen(app);
    let onCall: (seen: Seen) => void = () => {};
    const calls = watchCalls(app.server, (seen) => onCall(seen));
    const account = await signIn(app);
    const { secret } = await createApiToken(app, account, ['images:upload']);
    const client = await createClient(t, { GALLERY_URL: origin, GALLERY_TOKEN: secret });
    const root = await temporaryFolder(t);
    const names = Array.from({ length: files }, (_, index) => `p${index}.svg`);
    for (const [index, name] of names.entries()) {
      const folder = join(root, String(index % 7));
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, name), svg(index));
    }
    for (let kill = 1; kill <= kills; kill++) {
      const run = client.start('push', root);
      // Each at another moment of an upload: at its arrival, or some milliseconds later.
      let left = 100 + Math.floor(Math.random() * 60);
      onCall = ({ path }) => {
        if (path === '/api/images/upload' && --left === 0)
          setTimeout(() => run.child.kill('SIGKILL'), Math.random() < 0.5 ? 0 : Math.random() * 30);
      };
      t.equal(await run.ended, null, `kill ${kill}`);
    }
    onCall = () => {};
    const last = await client.run('push', root);
    t.equal(last.code, 0, last.stderr);
    t.equal((await rowsOf(database.url)).images, files);
    const { images } = (await app.inject({ url: '/api/images', headers: account.bearer })).json();
    t.same(images.map(({ filename }: { filename: string }) => filename).toSorted(), names.toSorted());
    const uploads = sending(calls).length;
    t.comment(`${uploads} uploads for ${files} files`);
    calls.length = 0;
    t.match((await client.run('push', root)).stdout, `0 stored, ${files} stored earlier\n`);
    t.same(sending(calls), [], 'a second run sends no bytes');
  },
);
