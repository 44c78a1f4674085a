/** Runs backup, restore and doctor while a server works. */
import { join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../postgres/embedded.ts';
import { admin, startServer } from '../processes.ts';
import { account, type Kind, newEnvironment, originals, upload } from './whole-gallery.ts';

/** Backs up twice during uploads and deletions, restores elsewhere, and compares the files by SHA-256. */
export async function backUpBesideServer(t: Test, kind: Kind): Promise<void> {
  const from = await newEnvironment(t, kind);
  const server = await startServer(t, from);
  const headers = await account(server);
  const kept = await upload(server, headers, 12);
  const file = join(temporaryFolder(t), 'backup.tar');

  let ended = false;
  const bustle = async () => {
    while (!ended) {
      const some = await upload(server, headers, 3);
      for (const { id } of some.slice(1)) {
        await fetch(`${server.origin}/api/images/delete/${id}`, { method: 'DELETE', headers });
      }
    }
  };
  const clients = [bustle(), bustle()];
  const first = await admin(t, ['backup', file], from);
  const second = await admin(t, ['backup', file], from);
  ended = true;
  await Promise.all(clients);
  t.match([first, second], [{ code: 0 }, { code: 0 }]);
  t.equal((await admin(t, ['restore', '--verify', file], from)).code, 0);
  const refused = await admin(t, ['restore', file], from);
  t.match(refused, { code: 1, stderr: /^A server[^\n]* is (running|working) on this database[^\n]*\n$/ });

  const to = await newEnvironment(t, kind);
  t.match(await admin(t, ['restore', file], to), { code: 0, stdout: /^Restored the snapshot / });
  const restored = await originals(to);
  for (const { id, sha256 } of kept) t.equal(restored.get(id), sha256);
  t.match(await admin(t, ['doctor'], to), { code: 0, stdout: /All is well/ });

  const again = await startServer(t, to);
  const login = await account(again);
  const list = await fetch(`${again.origin}/api/images/?page=1`, { headers: login });
  const { total } = (await list.json()) as { total: number };
  t.equal(total, restored.size, 'a row for every original');
  t.equal(await again.stop(), 0);
  t.equal(await server.stop(), 0);
}
