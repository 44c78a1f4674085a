/** Servers that switch backends one after another. */
import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { collection, pathOf, pictures, serves } from '../../testing/collections/moving.ts';
import { storedFiles } from '../../testing/disk.ts';
import { storeFiles } from '../../testing/form.ts';
import { noise } from '../../testing/pictures.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { withoutS3 } from '../../testing/s3.ts';
import { opened, sendPart } from '../../testing/tus.ts';

t.setTimeout(240_000);

const test = (title: string, work: (t: Test) => Promise<void>) => t.test(title, { skip: withoutS3 }, work);

test('two servers that switch backends one after another see each other’s images throughout', async (t) => {
  const { copy, server, account, images, files, inBucket, onDisk } = await collection(t, 2);
  const beforehand = { storage: 'disk' } as const;
  const [first, second] = [{ ...beforehand, storageFallback: 's3' } as const, { storageFallback: 'disk' } as const];
  /** Asserts that `other` serves uploads of `one`, and that deleting them there removes them from both backends. */
  async function shares(one: FastifyInstance, other: FastifyInstance): Promise<void> {
    const [bucketBefore, diskBefore] = [await inBucket(), await onDisk()];
    const added = await pictures(1);
    const [image] = await storeFiles(one, account, added);
    t.ok(image && (await serves(other, [image], added)));
    const url = `/api/images/delete/${image?.id}`;
    t.equal((await other.inject({ method: 'DELETE', url, headers: account.bearer })).statusCode, 204);
    for (const app of [one, other]) t.equal((await app.inject(pathOf(image?.url))).statusCode, 404);
    await Promise.all([one.sweeps.run(), other.sweeps.run()]);
    t.same([await inBucket(), await onDisk()], [bucketBefore, diskBefore], 'neither backend keeps its bytes');
    t.ok((await serves(one, images, files)) && (await serves(other, images, files)));
  }

  let [a, b] = [await server(beforehand), await server(beforehand)];
  t.match(await copy(), { copied: 6 });
  await t.rejects(server(second), {
    code: 'CONFIG',
    message: /^STORAGE: a running server does not use s3/,
  });
  for (const settings of [first, second]) {
    await a.close();
    a = await server(settings);
    await shares(a, b);
    await shares(b, a);
    await t.rejects(
      server(settings === first ? {} : beforehand),
      { code: 'CONFIG', message: /^STORAGE: a running server / },
      'a server without a fallback is refused',
    );
    await b.close();
    b = await server(settings);
    await shares(a, b);
  }
  const late = await pictures(3);
  const [image] = await storeFiles(a, account, late.slice(2));
  t.match(await copy(), { copied: 0, there: 9, failed: 0 });
  await a.close();
  a = await server();
  await shares(a, b);
  await b.close();
  t.ok(image && (await serves(a, [...images, image], [...files, ...late.slice(2)])));
});

test('an upload begun in the other backend must be restarted, and its pieces are swept', async (t) => {
  const { url, server, copy, dataDir, inBucket, account } = await collection(t, 1);
  await copy();
  const bytes = await noise(300, 200);
  const pieces = async () => [
    ...(await storedFiles(dataDir)).filter((path) => path.startsWith('staging/partial/')),
    ...(await inBucket()).filter((key) => key.startsWith('partials/')),
  ];
  const settingsInTurn = [
    { storage: 'disk', storageFallback: 's3' },
    { storage: 's3', storageFallback: 'disk' },
    { storage: 'disk', storageFallback: 's3' },
  ] as const;
  let path: string | undefined;
  for (const settings of settingsInTurn) {
    const app = await server(settings);
    if (path !== undefined) {
      t.equal((await sendPart(app, account, path, 5000, bytes.subarray(5000))).statusCode, 404);
      await app.sweeps.run();
      t.equal((await pieces()).length, 1, 'pieces stay until they expire');
      await query(url, `update uploads set expires_at = now() - interval '1 second'`);
      await app.sweeps.run();
      t.same(await pieces(), []);
    }
    path = await opened(app, account, bytes.length);
    await sendPart(app, account, path, 0, bytes.subarray(0, 5000));
    t.equal((await pieces()).length, 1);
    await app.close();
  }
});
