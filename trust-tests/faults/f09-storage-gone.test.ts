import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { newAccount } from '../testing/account.ts';
import { call } from '../testing/call.ts';
import { fault, stopwatch, within } from '../testing/fault.ts';
import { checkAnswers, checkBytes } from '../testing/holdings.ts';
import { createHome } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { deleteFrom, pictures, uploadInto } from '../testing/load/storm.ts';
import { mountFolder } from '../testing/machine/mounts.ts';
import { withoutMount } from '../testing/machine/tools.ts';

fault(
  'F9',
  'the server writes nothing when the storage’s disk is missing or another disk is mounted in its place',
  async (t) => {
    const home = await createHome(t);
    const files = join(home.dataDir, 'files');
    const disk = mountFolder(t, join(home.dataDir, 'disk'), files);
    const ledger = createLedger();
    let server = await home.start();
    const account = await newAccount(server.origin);
    await uploadInto(ledger, server.origin, account, await pictures(3));

    disk.unmount();
    t.equal((await uploadInto(ledger, server.origin, account)).status, 503);
    t.equal((await call(server.origin, '/api/health/ready')).status, 503, 'health is red');
    const [picture, other] = ledger.kept.values();
    t.equal((await call(server.origin, picture?.path ?? '')).status, 503, 'an unreadable picture does not answer 404');
    if (other) await deleteFrom(ledger, server.origin, account, other);
    t.same(readdirSync(files), [], 'the empty mount point stays empty');
    t.equal(await server.stop(), 0, 'it can be stopped');
    t.same(readdirSync(files), []);

    const refused = home.launch();
    t.equal(await refused.ended, 1, 'a start is refused');
    t.match(refused.output(), /DATA_DIR: the storage in .* is not the one that this database belongs to/);
    t.same(readdirSync(files), []);

    const wrong = mountFolder(t, join(home.dataDir, 'another-disk'), files);
    const again = home.launch();
    t.equal(await again.ended, 1, 'a start on an empty disk is refused too');
    t.same(readdirSync(files), []);
    wrong.unmount();

    disk.mount();
    const sinceThen = stopwatch();
    server = await home.start();
    within(t, 'F9', 'back in', sinceThen(), 10);
    await checkAnswers(t, server.origin, account, ledger);

    disk.unmount();
    t.equal((await uploadInto(ledger, server.origin, account)).status, 503);
    disk.mount();
    t.equal((await uploadInto(ledger, server.origin, account)).status, 201, 'a disk that comes back needs no restart');
    await server.stop();
    server = await home.start();
    await checkAnswers(t, server.origin, account, ledger);
    await checkBytes(t, home);
  },
  { skip: withoutMount },
);
