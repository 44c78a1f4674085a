import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../server/testing/eventually.ts';
import { newAccount, send } from '../testing/account.ts';
import { call } from '../testing/call.ts';
import { fault } from '../testing/fault.ts';
import { checkAnswers, checkBytes } from '../testing/holdings.ts';
import { createHome } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { uploadInto } from '../testing/load/storm.ts';
import { boundMemory } from '../testing/machine/cgroup.ts';
import { lives } from '../testing/machine/processes.ts';
import { measured } from '../testing/measured.ts';
import { flatAvif } from '../testing/pictures/flat-avif.ts';
import { interlacedPng, pngWithTexts } from '../testing/pictures/heavy-pictures.ts';

/** Bytes for the server, its decoders and its embedded Postgres together; less than the documented requirement. */
const bound = 400 * 2 ** 20;

fault(
  'F17',
  'with little memory, pictures that need much of it are refused and the server keeps answering',
  async (t) => {
    const home = await createHome(t);
    const { command, peak } = boundMemory(t, bound);
    const server = await home.start({}, command);
    const ledger = createLedger();
    const account = await newAccount(server.origin);
    await uploadInto(ledger, server.origin, account);
    const files = [await pngWithTexts(64), await interlacedPng(5000), { name: 'flat.avif', bytes: flatAvif(4500) }];
    const statuses: number[] = [];
    let probes = 0;
    for (let round = 0; round < 2; round += 1) {
      let open = files.length;
      // A new account each time: an account's stored pictures are not decoded for it again.
      const sender = await newAccount(server.origin);
      const answers = files.map((file) => send(server.origin, sender, [file]).finally(() => (open -= 1)));
      while (open > 0) {
        const [kept] = ledger.kept.values();
        probes += 1;
        t.equal((await call(server.origin, kept?.path ?? '')).status, 200, 'a picture is served meanwhile');
        // Repeats until the last answer, since the load peaks in the middle.
        await sleep(50);
      }
      statuses.push(...(await Promise.all(answers)).map(({ status }) => status));
    }
    t.same(
      statuses.filter((status) => ![201, 422, 503].includes(status)),
      [],
      `each bomb is stored or refused: ${statuses.join(', ')}`,
    );
    t.ok(probes > 2 * files.length, `${probes} pictures were served meanwhile`);
    t.ok(lives(server.pid), 'the server was not restarted');
    await eventually(
      'an ordinary upload',
      async () => (await uploadInto(ledger, server.origin, account)).status === 201,
    );
    for (const { filename, id } of [...ledger.kept.values()])
      if (files.some(({ name }) => name === filename)) ledger.kept.delete(id);
    const used = peak();
    const seen = used === undefined ? 'by prlimit' : `${Math.round(used / 2 ** 20)} of ${bound / 2 ** 20} MB used`;
    measured('G10', { part: 'F17', seen: `answers ${statuses.join(' ')}; ${seen}`, held: t.passing() });
    t.comment(seen, statuses);
    await server.stop();
    const next = await home.start();
    const stored = await home.sql('select filename, sha256 from images');
    for (const { filename, sha256 } of stored) ledger.sent.set(String(filename), String(sha256));
    await checkAnswers(t, next.origin, account, ledger);
    await checkBytes(t, home);
  },
);
