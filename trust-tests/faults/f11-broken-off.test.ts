import { once } from 'node:events';
import { storedFiles } from '../../server/testing/disk.ts';
import { eventually } from '../../server/testing/eventually.ts';
import { form } from '../../server/testing/form.ts';
import { type Account, newAccount } from '../testing/account.ts';
import { call } from '../testing/call.ts';
import { fault } from '../testing/fault.ts';
import { full } from '../testing/full.ts';
import { checkBytes } from '../testing/holdings.ts';
import { createHome } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { nothingLeft } from '../testing/left-over.ts';
import { drip, sendPart } from '../testing/load/drips.ts';
import { onePicture, pictures, uploadInto } from '../testing/load/storm.ts';
import { serve } from '../testing/machine/loopback.ts';
import { decodersOf, memoryOf, openFiles } from '../testing/machine/processes.ts';
import { measured } from '../testing/measured.ts';
import { rounds } from '../testing/rounds.ts';

const offsets = Array.from({ length: 10 }, (_, index) => index / 10);
const each = rounds(20, 200);
const total = offsets.length * each;

fault('F11', `${total} uploads aborted at ten offsets leave nothing behind`, async (t) => {
  const home = await createHome(t);
  const server = await home.start();
  const account = await newAccount(server.origin);
  const { headers, payload } = await form([await onePicture(400, 300), await onePicture(400, 300)]);
  const body = { headers: { ...headers, ...account.bearer }, payload };
  const breakOff = async (share: number) => {
    const socket = await sendPart(server.origin, body, Math.floor(payload.length * share));
    socket.destroy();
  };
  // Opens what a server opens once and keeps: all database connections, a decoder's pipes.
  const list = () => call(server.origin, '/api/images', { headers: account.bearer });
  await Promise.all(Array.from({ length: 50 }, list));
  for (const offset of offsets) await breakOff(offset);
  const ledger = createLedger();
  await uploadInto(ledger, server.origin, account, await pictures(2));
  const noDecoder = () => eventually('no decoder is left', () => decodersOf(server.pid).length === 0);
  await noDecoder();
  const before = { files: openFiles(server.pid).length, bytes: memoryOf(server.pid) };

  for (let round = 0; round < each; round += 1) await Promise.all(offsets.map(breakOff));
  await noDecoder();
  let left = 0;
  await eventually('descriptors are back', () => {
    left = openFiles(server.pid).length - before.files;
    return left <= 0;
  }).catch(() => undefined);
  t.ok(left <= 0, `${left} descriptors left open`);
  const grown = (memoryOf(server.pid) - before.bytes) / 2 ** 20;
  t.ok(grown <= 50, `${grown.toFixed(0)} MB more memory`);
  await checkBytes(t, home);
  t.equal((await home.sql('select 1 from images')).length, 2);
  const staged = (await storedFiles(home.dataDir)).filter((file) => file.startsWith('staging/'));
  t.same(staged, []);
  const stray = staged.length + Math.max(left, 0);
  measured('G12', {
    seen: `${stray} of ${total}; ${grown.toFixed(0)} MB`,
    held: stray === 0 && grown <= 50,
    count: { made: total, wanted: 200, what: 'aborts' },
  });
});

fault('F11', 'an upload that announces more than it sends stores nothing', async (t) => {
  const home = await createHome(t);
  const server = await home.start();
  const { bearer } = await newAccount(server.origin);
  const { headers, payload } = await form([await onePicture(), await onePicture()]);
  const longer = Buffer.concat([payload, Buffer.alloc(1000)]);
  // The client sends the whole form or half of the second file, then ends before the announced length.
  for (const bytes of [payload.length, payload.length - 500]) {
    const socket = await sendPart(server.origin, { headers: { ...headers, ...bearer }, payload: longer }, bytes);
    socket.end();
    if (!socket.closed) await once(socket, 'close');
  }
  t.same(await home.sql('select 1 from images'), []);
  await checkBytes(t, home);
});

fault('F11', 'a client that sends a byte a second delays nobody, is disconnected and leaves nothing', async (t) => {
  const { headers, payload } = await form([await onePicture()]);
  const slow = (account: Account) => ({ headers: { ...headers, ...account.bearer }, payload });
  const ledger = createLedger();
  if (full) {
    const home = await createHome(t);
    const { origin } = await home.start();
    const account = await newAccount(origin);
    const { cut } = await drip(origin, slow(account), 1);
    t.equal((await uploadInto(ledger, origin, account)).status, 201);
    await eventually('it is cut', cut, 120);
    await checkBytes(t, home);
    return;
  }
  // The default is a minute (server/http/server-options.test.ts).
  const pace = { idle: 30_000, grace: 3000, rate: 1024, afterAnswer: 1000, interval: 100 };
  const at = await serve(t, { options: { pace } });
  const account = await newAccount(at.origin);
  const { cut } = await drip(at.origin, slow(account), 1);
  t.equal((await uploadInto(ledger, at.origin, account)).status, 201);
  await eventually('it is cut', cut);
  await nothingLeft(t, at, 1);
});
