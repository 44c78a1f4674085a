import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../server/testing/eventually.ts';
import { newAccount } from '../testing/account.ts';
import { fault } from '../testing/fault.ts';
import { checkAnswers, checkBytes } from '../testing/holdings.ts';
import { createHome } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { pictures, storm } from '../testing/load/storm.ts';
import { rounds } from '../testing/rounds.ts';

const count = rounds(10, 100);

fault('F1', `a server killed ${count} times at random moments of a storm loses no confirmed picture`, async (t) => {
  const home = await createHome(t);
  const ledger = createLedger();
  let server = await home.start();
  const account = await newAccount(server.origin);
  const again = pictures(2);
  for (let round = 1; round <= count; round += 1) {
    const { answered } = ledger;
    const clients = storm(ledger, server.origin, account, { again });
    const enough = answered + 5 + randomInt(20);
    await eventually('the storm is under way', () => ledger.answered >= enough).catch((error) => {
      throw new Error(`${error.message}: ${JSON.stringify(ledger.broken)}`);
    });
    await sleep(randomInt(40));
    await server.kill();
    await clients.stop();
    server = await home.start();
    // The last round checks all pictures; earlier rounds check a sample, so that a long run does not grow quadratically.
    const whole = round === count ? { kills: { made: count, wanted: 100, what: 'kills' } } : { most: 40 };
    await checkAnswers(t, server.origin, account, ledger, whole);
    await checkBytes(t, home, whole);
  }
  t.same(
    ledger.refused.filter((status) => status >= 500),
    [],
    'no upload and no deletion failed while the server was running',
  );
  t.equal(await server.stop(), 0);
});
