import { newAccount } from '../testing/account.ts';
import { begin, waits } from '../testing/between-steps.ts';
import { fault } from '../testing/fault.ts';
import { checkAnswers, checkBytes, listAll } from '../testing/holdings.ts';
import { createHome } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { onePicture, uploadInto } from '../testing/load/storm.ts';

fault('F2', 'a server killed between an upload’s bytes and its rows leaves neither', async (t) => {
  const home = await createHome(t);
  const ledger = createLedger();
  let server = await home.start();
  const account = await newAccount(server.origin);
  await uploadInto(ledger, server.origin, account);
  const lock = await home.connect();
  await lock.unsafe('begin');
  await lock.unsafe('lock table images in share mode');
  const upload = begin(ledger, server.origin, account, [onePicture(), onePicture()]);
  await waits(home, 'insert into "images"');
  await server.kill();
  await upload;
  await lock.unsafe('rollback');
  server = await home.start();
  await checkAnswers(t, server.origin, account, ledger);
  t.equal((await listAll(server.origin, account)).length, 1);
  await checkBytes(t, home);
});
