import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { storedFiles } from '../../server/testing/disk.ts';
import { eventually } from '../../server/testing/eventually.ts';
import { form } from '../../server/testing/form.ts';
import { noise } from '../../server/testing/pictures.ts';
import { type Account, newAccount } from '../testing/account.ts';
import { fault } from '../testing/fault.ts';
import { checkAnswers, checkBytes } from '../testing/holdings.ts';
import { createHome, type Home, type Living } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { sendPart } from '../testing/load/drips.ts';
import { deleteFrom, pictures, uploadInto } from '../testing/load/storm.ts';
import { lives } from '../testing/machine/processes.ts';
import { trace } from '../testing/machine/strace.ts';
import { withoutStrace } from '../testing/machine/tools.ts';

/** Calls that fail in the whole process. `write` fails for one file only (below): threads also wake the event loop with it. */
const failures = [
  { name: 'an fsync that fails with EIO', calls: 'fsync,fdatasync', error: 'EIO', status: 503 },
  { name: 'an fsync that finds no space', calls: 'fsync,fdatasync', error: 'ENOSPC', status: 507 },
  { name: 'a rename that fails with EIO', calls: 'rename,renameat,renameat2', error: 'EIO', status: 503 },
  { name: 'a rename that finds the quota used up', calls: 'rename,renameat,renameat2', error: 'EDQUOT', status: 507 },
];

/** Bytes that the server gathers for one write. */
const gathered = 1024 * 1024;

type Writing = { server: Living; account: Account; error: string };

/** Stages half an upload, then makes each write to its file fail. @returns the answer's status */
async function writeFails(t: Test, home: Home, { server, account, error }: Writing): Promise<number> {
  const staging = async () => (await storedFiles(home.dataDir)).filter((file) => file.startsWith('staging/'));
  const old = new Set(await staging());
  const { headers, payload } = await form([{ name: 'half.jpg', bytes: await noise(4000, 3000) }]);
  t.ok(payload.length > 3 * gathered, 'each half is written before the form ends');
  const half = Math.floor(payload.length / 2);
  const socket = await sendPart(server.origin, { headers: { ...headers, ...account.bearer }, payload }, half);
  const file = await eventually('half of it is staged', async () => {
    const path = (await staging()).find((each) => !old.has(each));
    return path && statSync(join(home.dataDir, 'files', path)).size > 0 && join(home.dataDir, 'files', path);
  });
  const calls = 'write,writev,pwrite64,pwritev';
  const expressions = [`trace=${calls}`, `inject=${calls}:error=${error}`];
  const tracer = await trace(t, server.pid, { expressions, words: ['-P', file] });
  const answer = once(socket, 'data');
  socket.write(payload.subarray(half));
  const [first] = await answer;
  await tracer.end();
  t.ok(
    tracer.lines().some((line) => line.includes('INJECTED')),
    'a write did fail',
  );
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(String(first))?.[1]);
}

fault(
  'F7',
  'an upload that the disk does not store is not confirmed and leaves nothing',
  async (t) => {
    const home = await createHome(t);
    const ledger = createLedger();
    let server = await home.start();
    const account = await newAccount(server.origin);
    await uploadInto(ledger, server.origin, account, await pictures(3));
    for (const { name, calls, error, status } of failures) {
      const tracer = await trace(t, server.pid, {
        fileThreads: true,
        expressions: [`trace=${calls}`, `inject=${calls}:error=${error}`],
      });
      const answer = await uploadInto(ledger, server.origin, account, await pictures(2));
      t.equal(answer.status, status, name);
      await tracer.end();
      await checkAnswers(t, server.origin, account, ledger);
      t.equal((await uploadInto(ledger, server.origin, account)).status, 201, 'the next one is accepted');
    }
    for (const { error, status } of [
      { error: 'EIO', status: 503 },
      { error: 'ENOSPC', status: 507 },
    ]) {
      t.equal(await writeFails(t, home, { server, account, error }), status, `a write that fails with ${error}`);
      await checkAnswers(t, server.origin, account, ledger);
      t.equal((await uploadInto(ledger, server.origin, account)).status, 201, 'the next one is accepted');
    }
    // Bytes that cannot be removed stay orphaned blobs until they can.
    const tracer = await trace(t, server.pid, {
      fileThreads: true,
      expressions: ['trace=unlink,unlinkat', 'inject=unlink,unlinkat:error=EIO'],
    });
    const [picture] = ledger.kept.values();
    if (picture) t.equal((await deleteFrom(ledger, server.origin, account, picture)).status, 204);
    await tracer.end();
    t.ok(lives(server.pid), 'the server was not restarted');
    await server.stop();
    server = await home.start();
    await checkAnswers(t, server.origin, account, ledger);
    await checkBytes(t, home);
  },
  { skip: withoutStrace },
);
