import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { newAccount } from '../testing/account.ts';
import { call } from '../testing/call.ts';
import { fault, stopwatch, within } from '../testing/fault.ts';
import { checkAnswers, checkBytes } from '../testing/holdings.ts';
import { createHome, type Home } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { deleteFrom, pictures, uploadInto } from '../testing/load/storm.ts';
import { mountTmpfs } from '../testing/machine/mounts.ts';
import { withoutMount } from '../testing/machine/tools.ts';

type Lock = { lock(): void; unlock(): void };

const chattr = (flag: string, path: string) =>
  spawnSync('chattr', ['-R', flag, path], { stdio: 'ignore' }).status === 0;

function immutability(): false | string {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-immutable-'));
  const can = chattr('+i', folder);
  chattr('-i', folder);
  rmSync(folder, { recursive: true });
  return can ? false : 'files cannot be made immutable here';
}

async function survive(t: Test, home: Home, { lock, unlock }: Lock): Promise<void> {
  const ledger = createLedger();
  let server = await home.start();
  const account = await newAccount(server.origin);
  await uploadInto(ledger, server.origin, account, await pictures(4));
  lock();
  const answer = await uploadInto(ledger, server.origin, account);
  t.equal(answer.status, 503);
  t.match(JSON.parse(answer.body), { code: 'STORAGE_UNAVAILABLE', message: /storage is unavailable/ });
  const health = await call(server.origin, '/api/health/ready');
  t.equal(health.status, 503, 'health reports it');
  t.match(health.body, /STORAGE_UNAVAILABLE/);
  await checkAnswers(t, server.origin, account, ledger);
  const [picture] = ledger.kept.values();
  if (picture) {
    const deletion = await deleteFrom(ledger, server.origin, account, picture);
    t.equal(deletion.status, 204, 'a deletion is kept: the link is dead, the bytes are removed later');
    t.equal((await call(server.origin, picture.path)).status, 404);
  }
  unlock();
  const sinceThen = stopwatch();
  t.equal((await uploadInto(ledger, server.origin, account)).status, 201);
  within(t, 'F8', 'back in', sinceThen(), 10);
  t.equal((await call(server.origin, '/api/health/ready')).status, 200);
  await server.stop();
  server = await home.start();
  await checkAnswers(t, server.origin, account, ledger);
  await checkBytes(t, home);
}

fault(
  'F8',
  'a server on a read-only file system serves pictures, refuses uploads and reports it',
  async (t) => {
    const home = await createHome(t);
    const disk = mountTmpfs(t, join(home.dataDir, 'files'), '8m');
    await survive(t, home, { lock: () => disk.remount('remount,ro'), unlock: () => disk.remount('remount,rw') });
  },
  { skip: withoutMount },
);

fault(
  'F8',
  'a server with an immutable storage folder serves pictures, refuses uploads and reports it',
  async (t) => {
    const home = await createHome(t);
    const files = join(home.dataDir, 'files');
    t.teardown(() => chattr('-i', files));
    await survive(t, home, {
      lock: () => void t.ok(chattr('+i', files)),
      unlock: () => void t.ok(chattr('-i', files)),
    });
  },
  { skip: immutability() },
);
