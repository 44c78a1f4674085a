import { eventually } from '../../server/testing/eventually.ts';
import { newAccount } from '../testing/account.ts';
import { begin, waits } from '../testing/between-steps.ts';
import { fault } from '../testing/fault.ts';
import { checkAnswers, checkBytes, listAll } from '../testing/holdings.ts';
import { createHome, onEmbedded } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { onePicture, uploadInto } from '../testing/load/storm.ts';
import { lives } from '../testing/machine/processes.ts';
import { trace } from '../testing/machine/strace.ts';
import { withoutStrace } from '../testing/machine/tools.ts';

/** One thread for file system calls, so that the order of the calls is deterministic. */
const oneThread = { UV_THREADPOOL_SIZE: '1' };

for (const call of ['rename', 'fsync']) {
  fault(
    'F2',
    `a server killed at each ${call} of an upload leaves nothing of it`,
    async (t) => {
      const home = await createHome(t, oneThread);
      const ledger = createLedger();
      let server = await home.start();
      const account = await newAccount(server.origin);
      await uploadInto(ledger, server.origin, account);
      let kills = 0;
      for (let at = 1; ; at += 1) {
        const tracer = await trace(t, server.pid, {
          expressions: [`trace=/^${call}`, `inject=/^${call}:signal=KILL:when=${at}`],
        });
        const upload = begin(ledger, server.origin, account);
        // A process killed while traced may keep its sockets until the tracer detaches.
        const killed = eventually('the end', () => !lives(server.pid) && 'killed', 250);
        killed.catch(() => undefined);
        if ((await Promise.race([upload.then<unknown>((answer) => answer ?? killed), killed])) !== 'killed') break;
        kills += 1;
        await tracer.end();
        await Promise.all([server.ended, upload]);
        server = await home.start();
        await checkAnswers(t, server.origin, account, ledger);
        await checkBytes(t, home);
      }
      t.ok(kills >= 2, `an upload has ${kills} such calls`);
      await checkAnswers(t, server.origin, account, ledger);
    },
    { skip: withoutStrace },
  );
}

/** Makes every commit of an upload wait for the advisory lock 4711. */
const slowCommit = [
  `create function wait_at_commit() returns trigger language plpgsql as
   $$ begin perform pg_advisory_xact_lock_shared(4711); return null; end $$`,
  `create constraint trigger wait_at_commit after insert on images deferrable initially deferred
   for each row execute function wait_at_commit()`,
];

fault('F2', 'a server killed between COMMIT and the answer keeps the picture once, with its bytes', async (t) => {
  const home = await createHome(t);
  const ledger = createLedger();
  let server = await home.start();
  const account = await newAccount(server.origin);
  for (const statement of slowCommit) await home.sql(statement);
  const lock = await home.connect();
  await lock.unsafe('select pg_advisory_lock(4711)');
  const file = await onePicture();
  const upload = begin(ledger, server.origin, account, [Promise.resolve(file)]);
  await waits(home, 'commit');
  await server.kill();
  await upload;
  // With an external Postgres, the next server starts and sweeps while that commit is still open.
  if (!onEmbedded) server = await home.start();
  await lock.unsafe('select pg_advisory_unlock(4711)');
  await eventually('the commit is done', async () => (await home.sql('select 1 from images')).length === 1);
  if (onEmbedded) server = await home.start();
  await checkAnswers(t, server.origin, account, ledger);
  t.equal((await listAll(server.origin, account)).length, 1);
  await checkBytes(t, home);
  // A client that got no answer sends the file again: this is a second, independent picture.
  t.equal((await uploadInto(ledger, server.origin, account, [{ ...file, name: `again-${file.name}` }])).status, 201);
  t.equal((await listAll(server.origin, account)).length, 2);
  await checkAnswers(t, server.origin, account, ledger);
  await checkBytes(t, home);
});

fault('F2', 'a server killed with its database during COMMIT keeps all of the upload or nothing', async (t) => {
  const home = await createHome(t);
  const ledger = createLedger();
  let server = await home.start();
  const account = await newAccount(server.origin);
  for (const statement of slowCommit) await home.sql(statement);
  const lock = await home.connect();
  await lock.unsafe('select pg_advisory_lock(4711)');
  const upload = begin(ledger, server.origin, account, [onePicture(), onePicture()]);
  await waits(home, 'commit');
  await server.kill();
  await home.sql(`select pg_terminate_backend(pid) from pg_stat_activity
    where query ilike 'commit%' and datname = current_database()`);
  await upload;
  await lock.unsafe('select pg_advisory_unlock(4711)');
  server = await home.start();
  await checkAnswers(t, server.origin, account, ledger);
  await checkBytes(t, home);
});
