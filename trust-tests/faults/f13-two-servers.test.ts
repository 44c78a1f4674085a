import { eventually } from '../../server/testing/eventually.ts';
import { logIn, newAccount } from '../testing/account.ts';
import { call } from '../testing/call.ts';
import { fault } from '../testing/fault.ts';
import { checkAnswers, checkBytes } from '../testing/holdings.ts';
import { createHome } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { deleteFrom, onePicture, pictures, storm, uploadInto } from '../testing/storm.ts';
import { emptyDatabase } from '../testing/upgrade.ts';

fault(
  'F13',
  'two servers that start at once on an empty database and storage share them from then on',
  async (t) => {
    const home = await createHome(t);
    await emptyDatabase(await home.connect());
    const [one, other] = await Promise.all([home.start(), home.start()]);
    const runs = await home.sql('select count(*)::int as count from drizzle.__drizzle_migrations');
    const [{ count } = {}] = await home.sql('select count(*)::int as count from installation');
    t.equal(count, 1, 'they agreed upon one installation');
    const files = await home.sql('select distinct hash from drizzle.__drizzle_migrations');
    t.equal(runs[0]?.count, files.length, 'each step of the schema was made once');

    const ledger = createLedger();
    const account = await newAccount(one.origin);
    await uploadInto(ledger, one.origin, account, await pictures(3));
    await uploadInto(ledger, other.origin, account, await pictures(3));
    const [first] = ledger.kept.values();
    if (first) {
      t.equal((await deleteFrom(ledger, one.origin, account, first)).status, 204);
      t.equal((await call(other.origin, first.path)).status, 404, 'a deletion holds on both');
    }
    await checkAnswers(t, one.origin, account, ledger);
    await checkAnswers(t, other.origin, account, ledger);
    const session = await logIn(one.origin, account);
    await call(one.origin, '/api/auth/logout', { method: 'POST', headers: session.bearer });
    const { status } = await call(other.origin, '/api/auth/me', { headers: session.bearer });
    t.equal(status, 401, 'and so does a logout');
  },
  { on: 'real' },
);

fault(
  'F13',
  'one server killed in a storm costs the other one nothing, and its leavings are swept',
  async (t) => {
    const home = await createHome(t);
    let one = await home.start();
    const other = await home.start();
    const ledger = createLedger();
    const account = await newAccount(one.origin);
    for (let round = 0; round < 2; round += 1) {
      const enough = ledger.answered + 15;
      const dying = storm(ledger, one.origin, account, { clients: 4 });
      const living = storm(ledger, other.origin, account, { clients: 4 });
      await eventually('both are under way', () => ledger.answered > enough);
      await one.kill();
      // It starts, and sweeps, while the other one is in the midst of uploads of its own.
      one = await home.start();
      const before = ledger.answered;
      await eventually('the other one goes on', () => ledger.answered > before + 5);
      await Promise.all([dying.stop(), living.stop()]);
      await checkAnswers(t, other.origin, account, ledger);
      await checkBytes(t, home);
    }
    t.same(
      ledger.refused.filter((status) => ![404, 503].includes(status)),
      [],
    );
  },
  { on: 'real' },
);

fault(
  'F13',
  'what a killed server was making behind an answer is made by another one, once it has expired',
  async (t) => {
    const home = await createHome(t);
    const one = await home.start();
    const account = await newAccount(one.origin);
    const ledger = createLedger();
    await uploadInto(ledger, one.origin, account, [await onePicture(3200, 2400)]);
    const inHand = () => home.sql(`select id from gallery_jobs.job where name = 'renditions' and state = 'active'`);
    const [job] = await eventually('it is at it', async () => {
      const jobs = await inHand();
      return jobs.length === 1 && jobs;
    });
    await one.kill();
    const other = await home.start();
    const due = async () => (await home.sql('select 1 from images where renditions_due')).length;
    await uploadInto(ledger, other.origin, account, [await onePicture()]);
    await eventually('the other one has done a job of its own', async () => (await due()) === 1);
    t.same(await inHand(), [job], 'and has not taken this one, which has not expired');
    // Two minutes and a half later, as far as the queue can tell, which looks every minute; and the next try needs not wait.
    await home.sql(`update gallery_jobs.job set started_on = started_on - interval '1 hour' where name = 'renditions'`);
    await home.sql(`update gallery_jobs.version set maintained_on = now() - interval '1 hour'`);
    const again = `update gallery_jobs.job set start_after = now() - interval '1 second' where state = 'retry'`;
    await eventually('it has expired', async () => (await home.sql(`${again} returning 1`)).length === 1, 180);
    await eventually('it is made', async () => (await due()) === 0, 180);
    await checkAnswers(t, other.origin, account, ledger);
    await checkBytes(t, home);
  },
  { on: 'real' },
);

fault(
  'F13',
  'a second server on an embedded database is refused, and the first one goes on',
  async (t) => {
    const home = await createHome(t);
    const server = await home.start();
    const account = await newAccount(server.origin);
    const ledger = createLedger();
    await uploadInto(ledger, server.origin, account);
    const second = home.launch();
    t.equal(await second.ended, 1);
    t.equal(second.output().trim().split('\n').length, 1, `in one line: ${second.output()}`);
    t.equal((await uploadInto(ledger, server.origin, account)).status, 201);
    await checkAnswers(t, server.origin, account, ledger);
    await checkBytes(t, home);
  },
  { on: 'embedded' },
);
