import { EventEmitter, once } from 'node:events';
import { sql } from 'drizzle-orm';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import t from 'tap';
import { createReserve, noReserve } from '../storage/reserve/reserve.ts';
import { signIn, type TestAccount } from '../testing/account.ts';
import { buildTestApp, listen, temporaryFolder } from '../testing/app.ts';
import { storedFiles } from '../testing/disk.ts';
import { eventually } from '../testing/eventually.ts';
import { postFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { openSocket, type RawConnection } from '../testing/socket.ts';
import { type Admission, admissionOf, createAdmission, defaultAdmission } from './admission.ts';

const dataDir = await temporaryFolder(t);
const app = await buildTestApp(t, { dataDir, options: { admission: { perAccount: 1 } } });
const origin = await listen(app);

/** Sends the first half of an upload, after the requests in `before`. */
async function beginUpload(origin: string, { token }: TestAccount, before = ''): Promise<RawConnection> {
  const connection = await openSocket(origin);
  await connection.send(
    `${before}POST /api/images/upload HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 9999\r\n\r\n--x\r\nContent-Disposition: form-data; name="images"; filename="a"\r\n\r\nbytes`,
  );
  return connection;
}

const isStaging = async () => (await storedFiles(dataDir)).some((file) => file.startsWith('staging'));

const bytes = await picture();
const upload = (app: FastifyInstance, account: TestAccount, remoteAddress = '127.0.0.1') =>
  postFiles(app, account, [{ name: 'a.png', bytes }], { remoteAddress });

t.test(
  'uploads beyond the concurrent limit of an account answer 503 until one ends, and other accounts upload',
  async (t) => {
    const [one, other] = [await signIn(app), await signIn(app)];
    const { socket } = await beginUpload(origin, one);
    await eventually('the upload is being staged', isStaging);
    const refused = await upload(app, one);
    t.match(refused.json(), { statusCode: 503, code: 'SERVER_BUSY', message: /5 seconds/ });
    t.equal(refused.headers['retry-after'], '5');
    t.equal((await upload(app, other)).statusCode, 201);
    socket.destroy();
    await eventually('an upload is accepted again', async () => (await upload(app, one)).statusCode === 201);
    await eventually('the staged files are removed', async () => !(await isStaging()));
  },
);

t.test('an upload queued behind another response frees its slot when its connection closes', async () => {
  const account = await signIn(app);
  const list = `GET /api/images/ HTTP/1.1\r\nHost: a\r\nAuthorization: ${account.bearer.authorization}\r\n\r\n`;
  await app.db.transaction(async (tx) => {
    // Blocks the list until the transaction ends.
    await tx.execute(sql`lock table images in access exclusive mode`);
    const { socket } = await beginUpload(origin, account, list);
    await eventually('the upload is being staged', isStaging);
    socket.destroy();
    await eventually(
      'the server has no connections',
      () => new Promise<boolean>((resolve) => app.server.getConnections((_error, count) => resolve(count === 0))),
    );
  });
  await eventually('an upload is accepted again', async () => (await upload(app, account)).statusCode === 201);
});

t.test('an upload answers 503 before its body is read while too many pictures wait for the decoder', async (t) => {
  const app = await buildTestApp(t, { options: { admission: { pictures: 0 } } });
  const origin = await listen(app);
  const account = await signIn(app);
  const { socket } = await beginUpload(origin, account);
  const [answer] = await once(socket, 'data');
  t.match(String(answer), /^HTTP\/1\.1 503 [\s\S]*retry-after: 15/i);
  socket.destroy();
});

/** Admits an upload that announces `bytes` and sends none. @returns a function that ends it */
async function announce(
  admission: Admission,
  { id, ip = '192.0.2.1', bytes = 1 }: { id: string; ip?: string; bytes?: number },
) {
  const socket = new EventEmitter();
  const raw = Object.assign(new EventEmitter(), { closed: false, req: { socket } });
  const request = { access: { ownerId: id }, ip, headers: { 'content-length': String(bytes) } };
  await admission.enter(request as unknown as FastifyRequest, { raw } as unknown as FastifyReply);
  return () => raw.emit('close');
}

const parts = { reserve: noReserve, maxBytes: 1, pending: () => 0 };
const busy = { statusCode: 503, code: 'SERVER_BUSY' };

t.test('uploads beyond the concurrent limit of all accounts answer 503', async (t) => {
  const admission = createAdmission({ ...parts, limits: { ...defaultAdmission, inAll: 1 } });
  const end = await announce(admission, { id: 'one' });
  await t.rejects(announce(admission, { id: 'other', ip: '192.0.2.7' }), busy);
  end();
  await t.resolves(announce(admission, { id: 'other', ip: '192.0.2.7' }));
});

t.test('uploads beyond the concurrent limit of an address answer 503, and other addresses upload', async (t) => {
  const admission = createAdmission({ ...parts, limits: { ...defaultAdmission, perAddress: 1 } });
  const end = await announce(admission, { id: 'one' });
  await t.rejects(announce(admission, { id: 'other' }), busy, 'from the same address');
  await t.resolves(announce(admission, { id: 'other', ip: '192.0.2.7' }));
  end();
  await t.resolves(announce(admission, { id: 'other' }));
});

t.test('a client gets a quarter of the pictures that wait, and only that client is refused', async (t) => {
  const admission = createAdmission({ ...parts, limits: { ...defaultAdmission, pictures: 32 } });
  const [here, there] = ['192.0.2.1', '192.0.2.7'];
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const send = (account: string, address: string, times: number) =>
    Promise.all(
      Array.from({ length: times }, () =>
        admission.inPart({ account, address }, () => {
          begun.push(`${account} ${address}`);
          return new Promise<void>((end) => ends.push(end));
        }),
      ),
    );
  const done = [send('greedy', here, 20), send('greedy', there, 20)];
  await new Promise(setImmediate);
  t.equal(begun.length, 8, 'an account, from all its addresses');
  done.push(send('other', here, 20), send('third', here, 20));
  await new Promise(setImmediate);
  t.equal(begun.filter((one) => one.endsWith(here)).length, 8, 'an address, for all its accounts');
  await t.rejects(announce(admission, { id: 'greedy', ip: here }), { ...busy, retryAfter: 15 });
  await t.rejects(announce(admission, { id: 'new', ip: here }), busy, 'an address whose part is used up');
  await t.resolves(announce(admission, { id: 'new', ip: '192.0.2.9' }));
  while (ends.length > 0) {
    for (const end of ends.splice(0)) end();
    await new Promise(setImmediate);
  }
  await Promise.all(done);
  t.equal(begun.length, 80);
  await t.resolves(announce(admission, { id: 'greedy', ip: here }), 'its pictures are decoded');
});

t.test('a client gets at most a quarter of what one of several processes accepts', async (t) => {
  const { inAll, perAccount, perAddress } = admissionOf((whole) => Math.ceil(whole / 8));
  t.same({ inAll, perAccount, perAddress }, { inAll: 64, perAccount: 16, perAddress: 16 });
});

t.test('the addresses of an IPv6 /48 share one part', async (t) => {
  const admission = createAdmission({ ...parts, limits: { ...defaultAdmission, perAddress: 1 } });
  await announce(admission, { id: 'one', ip: '2001:db8:1:1::1' });
  await t.rejects(announce(admission, { id: 'other', ip: '2001:db8:1:2::1' }), busy);
  await t.resolves(announce(admission, { id: 'other', ip: '2001:db8:2::1' }));
});

t.test('a huge upload that is announced and never sent does not block other accounts', async (t) => {
  const GIB = 2 ** 30;
  const reserve = createReserve('/data', async () => ({ bavail: 11 * GIB, blocks: 100 * GIB, bsize: 1 }));
  const admission = createAdmission({ ...parts, limits: defaultAdmission, reserve, maxBytes: GIB });
  const { room } = reserve;
  await announce(admission, { id: 'greedy', bytes: (await room()) - 1 });
  await announce(admission, { id: 'other', bytes: GIB });
  await t.rejects(
    announce(admission, { id: 'greedy', bytes: (await room()) + 1 }),
    { code: 'NO_SPACE' },
    'what cannot fit is refused',
  );
});

t.test('an account over its upload rate answers 429 until the window ends, and other accounts upload', async (t) => {
  const app = await buildTestApp(t, { rateLimit: 'on' });
  const [one, other] = [await signIn(app), await signIn(app)];
  t.equal((await upload(app, one)).statusCode, 201);
  // A short window: the process refuses from memory until it ends.
  await app.db.execute(
    `update rate_limits set count = 3000, resets_at = now() + interval '2 seconds' where key like 'upload:%'`,
  );
  const refused = await upload(app, one);
  t.match(refused.json(), { statusCode: 429, code: 'TOO_MANY_REQUESTS' });
  const seconds = Number(refused.headers['retry-after']);
  t.ok(seconds >= 1 && seconds <= 2, `Retry-After: ${seconds}`);
  t.equal((await upload(app, other)).statusCode, 201, 'another account uploads');
  await eventually('an upload is accepted in the next window', async () => (await upload(app, one)).statusCode === 201);
});

t.test('RATE_LIMIT=off counts no uploads', async (t) => {
  const account = await signIn(app);
  t.equal((await upload(app, account)).statusCode, 201);
  t.equal((await app.db.execute('select 1 from rate_limits')).length, 0);
});
