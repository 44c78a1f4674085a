import { join } from 'node:path';
import { noise } from '../../server/testing/pictures.ts';
import { newAccount } from '../testing/account.ts';
import { call } from '../testing/call.ts';
import { fault, stopwatch, within } from '../testing/fault.ts';
import { checkAnswers, checkBytes } from '../testing/holdings.ts';
import { createHome } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { onePicture, pictures, uploadInto } from '../testing/load/storm.ts';
import { mountTmpfs } from '../testing/machine/mounts.ts';
import { withoutMount } from '../testing/machine/tools.ts';

fault(
  'F5',
  'a full storage refuses uploads with 507, keeps what it has, and accepts more once there is room',
  async (t) => {
    const home = await createHome(t);
    const disk = mountTmpfs(t, join(home.dataDir, 'files'), '3m');
    const ledger = createLedger();
    const server = await home.start();
    const account = await newAccount(server.origin);
    await uploadInto(ledger, server.origin, account, await pictures(5));
    const statuses: number[] = [];
    // The second file of an upload may find no space: then nothing of the upload is kept.
    for (let count = 0; statuses.filter((status) => status === 507).length < 3 && count < 100; count += 1) {
      // All files differ: equal bytes are stored once and would take no space.
      const large = await noise(700 + count, 500);
      const files = [{ name: `${count}-large.jpg`, bytes: large }, await onePicture()];
      statuses.push((await uploadInto(ledger, server.origin, account, files)).status);
    }
    t.same([...new Set(statuses)], [201, 507]);
    const release = disk.fill();
    for (const files of [undefined, await pictures(3)]) {
      const answer = await uploadInto(ledger, server.origin, account, files);
      t.equal(answer.status, 507, 'to the last byte');
      t.match(answer.body, /no space left/);
    }
    await checkAnswers(t, server.origin, account, ledger);
    release();
    disk.remount('remount,size=8m');
    const sinceThen = stopwatch();
    t.equal((await uploadInto(ledger, server.origin, account)).status, 201, 'with room again, it accepts more');
    within(t, 'F5', 'back in', sinceThen(), 10);
    t.equal((await call(server.origin, '/api/health/ready')).status, 200);
    await checkAnswers(t, server.origin, account, ledger);
    await checkBytes(t, home);
  },
  { skip: withoutMount },
);
