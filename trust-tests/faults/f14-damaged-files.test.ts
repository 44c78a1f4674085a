import { closeSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { originalKey, thumbnailKey } from '../../server/images/keys.ts';
import { noise } from '../../server/testing/pictures.ts';
import { admin } from '../../server/testing/processes.ts';
import { newAccount, pathOf, store } from '../testing/account.ts';
import { call } from '../testing/call.ts';
import { fault } from '../testing/fault.ts';
import { checkBytes } from '../testing/holdings.ts';
import { createHome } from '../testing/home.ts';
import { sha256 } from '../testing/ledger.ts';
import { pictures } from '../testing/load/storm.ts';

type Damage = (path: string) => void;

function flipOneBit(path: string): void {
  const bytes = readFileSync(path);
  const at = Math.floor(statSync(path).size / 2);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.from([(bytes[at] ?? 0) ^ 1]), 0, 1, at);
  closeSync(file);
}

const damages: Record<string, Damage> = {
  missing: (path) => rmSync(path),
  empty: (path) => truncateSync(path, 0),
  cut: (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  'with one bit flipped': flipOneBit,
  'of another kind': (path) => writeFileSync(path, 'no picture at all'),
};

fault('F14', 'a thumbnail that is missing or damaged on disk is made again when it is requested', async (t) => {
  const home = await createHome(t);
  const server = await home.start();
  const account = await newAccount(server.origin);
  for (const [name, damage] of Object.entries(damages)) {
    const [image] = await store(server.origin, account, await pictures(1));
    const path = join(home.dataDir, 'files', thumbnailKey({ id: image?.id ?? '' }));
    damage(path);
    for (const time of ['first', 'next']) {
      const answer = await call(server.origin, pathOf(image?.thumbnail_url));
      t.equal(answer.status, 200, `${name}, the ${time} time`);
      t.match(await sharp(answer.bytes).metadata(), { format: 'webp', width: 96, height: 64 });
      t.equal((await sharp(answer.bytes).raw().toBuffer()).length, 96 * 64 * 3, 'it decodes completely');
    }
    t.equal((await sharp(path).metadata()).format, 'webp', 'it is on disk again');
  }
  await checkBytes(t, home);
});

fault('F14', 'a damaged original is never served as a complete file', async (t) => {
  const home = await createHome(t);
  const server = await home.start();
  const { bearer } = await newAccount(server.origin);
  const damaged: string[] = [];
  // A small original is read at once; a large one is streamed, so its first bytes could be sent before the last are read.
  for (const width of [96, 3000]) {
    for (const [name, damage] of Object.entries(damages)) {
      // The pictures differ: uploading the same one again would repair the earlier ones.
      const bytes = await noise(width + damaged.length, Math.round(width / 1.5));
      const [image] = await store(server.origin, { bearer }, [{ name: 'original.jpg', bytes }]);
      const good = sha256(bytes);
      t.equal(sha256((await call(server.origin, pathOf(image?.url))).bytes), good, 'it is intact before');
      const key = originalKey({ id: image?.id ?? '', extension: 'jpg' });
      damage(join(home.dataDir, 'files', key));
      damaged.push(key);
      for (const path of [pathOf(image?.url), `/api/images/${image?.id}/original`]) {
        // The server refuses or cuts the connection before the end, so no client takes the file as complete.
        const answer = await call(server.origin, path, { headers: bearer }).catch(() => undefined);
        t.not(answer?.status, 200, `${name}, ${bytes.length} bytes, ${path.slice(0, 5)}`);
        const kept = answer && answer.status >= 400 ? '' : answer?.headers['cache-control'];
        t.notMatch(kept ?? '', /immutable/);
        const some = await call(server.origin, path, { headers: { ...bearer, range: 'bytes=0-9' } }).catch(
          () => undefined,
        );
        t.ok(some === undefined || some.status >= 400, `a range of it: ${some?.status}`);
      }
    }
  }
  t.equal((await call(server.origin, '/api/health/ready')).status, 200, 'the server is ready');

  const doctor = await admin(t, ['doctor', '--json'], home.environment);
  t.equal(doctor.code, 1, doctor.stderr);
  const { findings } = JSON.parse(doctor.stdout) as { findings: { kind: string; subject: string }[] };
  const named = findings.filter(({ kind }) => kind.startsWith('original')).map(({ subject }) => subject);
  t.same(named.sort(), damaged.sort(), 'the doctor names each damaged original, and no other');
});
