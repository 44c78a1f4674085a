import { eventually } from '../../server/testing/eventually.ts';
import { logIn, newAccount } from '../testing/account.ts';
import { call } from '../testing/call.ts';
import { fault } from '../testing/fault.ts';
import { checkAnswers, checkBytes } from '../testing/holdings.ts';
import { createHome } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { deleteFrom, onePicture, pictures, storm, uploadInto } from '../testing/load/storm.ts';
import { emptyDatabase } from '../testing/upgrade.ts';

fault(
  'F13',
  'two servers started at once on an empty database and storage share them',
  async (t) => {
    const home = await createHome(t);
    await emptyDatabase(await home.connect());
    const [one, other] = await Promise.all([home.start(), home.start()]);
    const runs = await home.sql('select count(*)::int as count from drizzle.__drizzle_migrations');
    const [{ count } = {}] = await home.sql('select count(*)::int as count from installation');
    t.equal(count, 1, 'they agreed on one installation');
    const files = await home.sql('select distinct hash from drizzle.__drizzle_migrations');
    t.equal(runs[0]?.count, files.length, 'each migration ran once');

    const ledger = createLedger();
    const account = await newAccount(one.origin);
    await uploadInto(ledger, one.origin, account, await pictures(3));
    await uploadInto(ledger, other.origin, account, await pictures(3));
    const [first] = ledger.kept.values();
    if (first) {
      t.equal((await deleteFrom(ledger, one.origin, account, first)).status, 204);
      t.equal((await call(other.origin, first.path)).status, 404, 'a deletion takes effect on both');
    }
    await checkAnswers(t, one.origin, account, ledger);
    await checkAnswers(t, other.origin, account, ledger);
    const session = await logIn(one.origin, account);
    await call(one.origin, '/api/auth/logout', { method: 'POST', headers: session.bearer });
    const { status } = await call(other.origin, '/api/auth/me', { headers: session.bearer });
    t.equal(status, 401, 'a logout takes effect on both');
  },
  { on: 'real' },
);

fault(
  'F13',
  'when one of two servers is killed in a storm, the other continues and sweeps the remains',
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
      // The restarted server sweeps while the other one still has uploads in progress.
      one = await home.start();
      const before = ledger.answered;
      await eventually('the other one continues', () => ledger.answered > before + 5);
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
  'a background rendition of a killed server is made by another one once its lease expires',
  async (t) => {
    const home = await createHome(t);
    const one = await home.start();
    const account = await newAccount(one.origin);
    const ledger = createLedger();
    await uploadInto(ledger, one.origin, account, [await onePicture(3200, 2400)]);
    const inHand = () => home.sql('select content_id from rendition_attempts where leased_until > now()');
    const [attempt] = await eventually('the attempt has begun', async () => {
      const attempts = await inHand();
      return attempts.length === 1 && attempts;
    });
    await one.kill();
    const other = await home.start();
    const due = async () => (await home.sql('select 1 from images where renditions_due')).length;
    await uploadInto(ledger, other.origin, account, [await onePicture()]);
    await eventually('the other one has made its own rendition', async () => (await due()) === 1);
    t.same(await inHand(), [attempt], 'the killed server’s lease has not expired');
    await home.sql('update rendition_attempts set leased_until = now(), next_at = now()');
    await eventually('the rendition is made', async () => (await due()) === 0, 180);
    await checkAnswers(t, other.origin, account, ledger);
    await checkBytes(t, home);
  },
  { on: 'real' },
);

fault(
  'F13',
  'a second server on an embedded database is refused, and the first one continues',
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
