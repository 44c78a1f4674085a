import { newAccount } from '../testing/account.ts';
import { fault } from '../testing/fault.ts';
import { checkAnswers, checkBytes } from '../testing/holdings.ts';
import { createHome } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { lives } from '../testing/processes.ts';
import { deleteFrom, pictures, uploadInto } from '../testing/storm.ts';
import { trace } from '../testing/strace.ts';
import { withoutStrace } from '../testing/tools.ts';

// Not `write` itself, by which the same threads wake the event loop: that a write finds no room is made by a full disk (f05).
const failures = [
  { name: 'an fsync that fails with EIO', calls: 'fsync,fdatasync', error: 'EIO', status: 503 },
  { name: 'an fsync that finds no space', calls: 'fsync,fdatasync', error: 'ENOSPC', status: 507 },
  { name: 'a rename that fails with EIO', calls: 'rename,renameat,renameat2', error: 'EIO', status: 503 },
  { name: 'a rename that finds the quota used up', calls: 'rename,renameat,renameat2', error: 'EDQUOT', status: 507 },
];

fault(
  'F7',
  'what the disk does not take is not answered for, and leaves nothing',
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
      t.equal((await uploadInto(ledger, server.origin, account)).status, 201, 'the next one is taken');
    }
    // Bytes that cannot be removed are loose until they can.
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
