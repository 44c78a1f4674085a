import { newAccount } from '../testing/account.ts';
import { call } from '../testing/call.ts';
import { fault } from '../testing/fault.ts';
import { checkAnswers, checkBytes, listAll } from '../testing/holdings.ts';
import { createHome } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { deleteFrom, uploadInto } from '../testing/load/storm.ts';
import { lives } from '../testing/machine/processes.ts';
import { faketimeLibrary, withoutFaketime } from '../testing/machine/tools.ts';

/** A session lives for thirty days; the database's own clock is always right. */
const clocks = [
  { shift: '-1d', session: 200 },
  { shift: '+3d', session: 200 },
  { shift: '+31d', session: 401 },
  { shift: '-400d', session: 200 },
];

fault(
  'F12',
  'a clock that is wrong by days loses no picture and keeps the order',
  async (t) => {
    // The wall clock jumps; the monotonic clock of timeouts does not, as when an administrator sets the time.
    const home = await createHome(t, { FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' });
    const ledger = createLedger();
    let server = await home.start();
    const account = await newAccount(server.origin);
    await uploadInto(ledger, server.origin, account);
    await server.stop();
    let order = [...ledger.kept.keys()];
    for (const { shift, session } of clocks) {
      server = await home.start({ LD_PRELOAD: faketimeLibrary, FAKETIME: shift });
      const { status } = await call(server.origin, '/api/auth/me', { headers: account.bearer });
      t.equal(status, session, `${shift}: the session ${session === 200 ? 'is valid' : 'has expired'}`);
      if (session === 200) {
        t.equal((await uploadInto(ledger, server.origin, account)).status, 201, `${shift}: an upload`);
        const latest = [...ledger.kept.keys()].at(-1) ?? '';
        order = [latest, ...order];
        t.same(
          (await listAll(server.origin, account)).map(({ id }) => id),
          order,
          `${shift}: the latest is first`,
        );
        await checkAnswers(t, server.origin, account, ledger);
      }
      const fresh = await newAccount(server.origin);
      t.equal((await call(server.origin, '/api/auth/me', { headers: fresh.bearer })).status, 200, 'a new login works');
      t.ok(lives(server.pid));
      t.equal(await server.stop(), 0);
    }
    server = await home.start();
    const [first] = ledger.kept.values();
    if (first) t.equal((await deleteFrom(ledger, server.origin, account, first)).status, 204);
    await checkAnswers(t, server.origin, account, ledger);
    await checkBytes(t, home);
  },
  { skip: withoutFaketime },
);
