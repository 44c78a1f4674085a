/** The limits of a link and of its owner hold, however many guests add at once. */
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { inOwnerMutex } from '../database/statements/owner-mutex.ts';
import { NoSpace } from '../errors.ts';
import { buildTestApp, sharedDecoder, testConfig } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import type { SentFile } from '../testing/form.ts';
import { storeFiles } from '../testing/form.ts';
import {
  addFiles,
  collector,
  guestOf,
  openUploadOf,
  pictures,
  sendPartOf,
  type Visitor,
} from '../testing/guests/collector.ts';
import { picture } from '../testing/pictures.ts';
import { openUpload } from '../testing/tus.ts';

const config = await testConfig(t);
const app = await buildTestApp(t, config);
/** Another process of the same gallery. */
const other = await buildTestApp(t, { ...config, jwtSecret: undefined });

const guestsAtOnce = 20;
const sizeOf = ({ bytes }: SentFile) => Buffer.from(bytes).length;

type Sent = { path: string; guest: Visitor; file: SentFile; key: string };

/** @returns the answer's status and code */
async function asForm(server: FastifyInstance, { path, guest, file, key }: Sent): Promise<string> {
  const answer = await addFiles(server, path, guest, [file], { keys: [key] });
  return `${answer.statusCode} ${answer.json().code ?? ''}`.trim();
}

async function asUpload(server: FastifyInstance, { path, guest, file, key }: Sent): Promise<string> {
  const bytes = Buffer.from(file.bytes);
  const opened = await openUploadOf(server, path, guest, bytes.length, { key });
  if (opened.statusCode !== 201) return `${opened.statusCode} ${opened.json().code}`;
  const answer = (await sendPartOf(server, String(opened.headers.location), guest, 0, bytes)).json();
  return answer.state === 'stored' ? '201' : `409 ${answer.rejected?.code}`;
}

/** Twenty guests on two processes add a file each, in both ways. @returns how often each answer came */
async function rush(path: string, files: SentFile[]) {
  const guests = await Promise.all(files.map(() => guestOf(app, path)));
  const answers = await Promise.all(
    files.map((file, at) => {
      const sent = { path, guest: guests[at] ?? {}, file, key: `key-${at}` };
      return (at % 4 < 2 ? asForm : asUpload)(at % 2 === 0 ? app : other, sent);
    }),
  );
  return Object.fromEntries([...new Set(answers)].sort().map((one) => [one, answers.filter((a) => a === one).length]));
}

const twenty = () => pictures(Array.from({ length: guestsAtOnce }, (_, at) => `${at}.png`));

async function countsAgree(ownerId: string): Promise<boolean> {
  const [row] = await app.db.execute(sql`
    select image_count = (select count(*) from images where owner_id = users.id)
      and image_bytes = (select coalesce(sum(size), 0) from images where owner_id = users.id)
      and not exists (select 1 from orphaned_blobs) as agree
    from users where id = ${ownerId}`);
  return row?.agree === true;
}

t.test('twenty guests at once add no more files than the link accepts', async (t) => {
  const { link, idsIn, account } = await collector(app);
  const { path } = await link({ max_files: 7 });
  t.same(await rush(path, await twenty()), { '201': 7, '409 COLLECT_FULL': 13 });
  t.equal((await idsIn()).length, 7);
  t.ok(await countsAgree(account.id));
});

t.test('twenty guests at once add no more bytes than the link accepts', async (t) => {
  const { link, call, account } = await collector(app);
  const files = await twenty();
  const max_bytes = 3 * Math.max(...files.map(sizeOf));
  const { path } = await link({ max_bytes });
  const answers = await rush(path, files);
  const [{ files: stored, bytes }] = (await call('GET')).json().collect_links;
  t.same(answers, { '201': stored, '409 COLLECT_FULL': guestsAtOnce - stored });
  t.ok(stored >= 3 && bytes <= max_bytes, `${stored} files, ${bytes} of ${max_bytes} bytes`);
  t.ok(await countsAgree(account.id));
});

t.test('twenty guests at once do not exceed the quota of the owner, and are not told its numbers', async (t) => {
  const limited = await buildTestApp(t, { quotaImages: 5 });
  const { link, idsIn } = await collector(limited);
  const { path } = await link();
  const guest = await guestOf(limited, path);
  const sent = (await twenty()).map((file) => addFiles(limited, path, guest, [file]));
  const answers = (await Promise.all(sent)).map((answer) => ({ status: answer.statusCode, body: answer.body }));
  t.equal(answers.filter(({ status }) => status === 201).length, 5);
  for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
    t.match([status, JSON.parse(body)], [413, { code: 'GALLERY_FULL' }]);
    t.notMatch(body, /5 of 5/);
  }
  t.equal((await idsIn()).length, 5);
  const opened = await openUploadOf(limited, path, guest, 100);
  t.match([opened.statusCode, opened.json()], [413, { code: 'GALLERY_FULL' }]);
});

t.test(
  'a disk that is full for some of twenty guests stores the files of the others, and no half of one',
  async (t) => {
    const { link, idsIn, account } = await collector(app);
    const { path } = await link();
    const { storage } = app;
    const { commit } = storage;
    t.teardown(() => Object.assign(storage, { commit }));
    let calls = 0;
    storage.commit = async (...args) => {
      calls += 1;
      if (calls % 2 === 0) throw new NoSpace();
      return commit(...args);
    };
    const files = await twenty();
    const guests = await Promise.all(files.map(() => guestOf(app, path)));
    const answers = await Promise.all(files.map((file, at) => addFiles(app, path, guests[at] ?? {}, [file])));
    const codes = answers.map((answer) => `${answer.statusCode} ${answer.json().code ?? ''}`.trim()).sort();
    t.same(codes, [...Array(10).fill('201'), ...Array(10).fill('507 NO_SPACE')]);
    t.equal((await idsIn()).length, 10);
    t.ok(await countsAgree(account.id));
  },
);

t.test('a file that a guest sends in both ways to two processes at once is stored once', async (t) => {
  const { link, idsIn, account } = await collector(app);
  const { path } = await link();
  const guest = await guestOf(app, path);
  const [file] = await pictures(['a.png']);
  if (!file) throw new Error('no picture');
  const sent = { path, guest, file, key: 'same' };
  const ways = [app, other].flatMap((server) => [asForm(server, sent), asForm(server, sent), asUpload(server, sent)]);
  t.ok((await Promise.all(ways)).includes('201'));
  t.equal((await idsIn()).length, 1);
  t.ok(await countsAgree(account.id));
});

t.test('of a form with more files than are left, the first ones are stored and the others refused', async (t) => {
  const { link, idsIn } = await collector(app);
  const { path } = await link({ max_files: 2 });
  const guest = await guestOf(app, path);
  const answer = await addFiles(app, path, guest, await pictures(['a.png', 'b.png', 'c.png', 'd.png']));
  t.equal(answer.statusCode, 207);
  t.match(answer.json(), {
    images: [{ filename: 'a.png' }, { filename: 'b.png' }],
    rejected: [
      { filename: 'c.png', code: 'COLLECT_FULL', message: /accepts 2 images and 10 GB/ },
      { filename: 'd.png', code: 'COLLECT_FULL' },
    ],
  });
  t.equal((await idsIn()).length, 2);
});

t.test('a full link refuses before the body is read, except a retry of what it has stored', async (t) => {
  const { link } = await collector(app);
  const { path } = await link({ max_files: 1 });
  const guest = await guestOf(app, path);
  const [file] = await pictures(['a.png']);
  if (!file) throw new Error('no picture');
  const keys = ['key'];
  const first = await addFiles(app, path, guest, [file], { keys });
  const headers = { ...guest, 'content-type': 'multipart/form-data; boundary=x' };
  const unread = await app.inject({ method: 'POST', url: `${path}/upload`, headers, payload: 'no form at all' });
  t.match(unread.json(), { statusCode: 409, code: 'COLLECT_FULL', message: /accepts 1 image and/ });
  t.same((await addFiles(app, path, guest, [file], { keys })).json(), first.json());
});

t.test('lower limits hold at once, and higher ones too', async (t) => {
  const { link, call } = await collector(app);
  const { path, id } = await link({ max_files: 3 });
  const guest = await guestOf(app, path);
  const add = async (name: string) => (await addFiles(app, path, guest, await pictures([name]))).statusCode;
  t.same([await add('a.png'), await add('b.png')], [201, 201]);
  await call('PATCH', `/${id}`, { max_files: 1 });
  t.match((await app.inject({ url: `${path}/link`, headers: guest })).json(), { limits: { files_left: 0 } });
  t.equal(await add('c.png'), 409);
  await call('PATCH', `/${id}`, { max_files: 3 });
  t.equal(await add('c.png'), 201);
});

t.test('what was sent before the end and would be stored after it is refused, and leaves no bytes', async (t) => {
  const { link, idsIn, account } = await collector(app);
  const { path, id } = await link();
  const guest = await guestOf(app, path);
  const bytes = await picture({ width: 90 });
  const at = String((await openUploadOf(app, path, guest, bytes.length)).headers.location);
  await sendPartOf(app, at, guest, 0, bytes.subarray(0, 60));
  // The end comes while the last part is on its way: the guard has admitted it.
  await app.db.execute(sql`
    create function end_link() returns trigger language plpgsql as $$ begin
      update collect_links set expires_at = now() where id = '${sql.raw(id)}'; return new; end $$`);
  await app.db.execute(
    sql`create trigger ends before update of received on uploads for each row execute function end_link()`,
  );
  t.teardown(() => app.db.execute(sql`drop function end_link cascade`));
  const answer = await sendPartOf(app, at, guest, 60, bytes.subarray(60));
  t.match(answer.json(), { state: 'refused', rejected: { code: 'COLLECT_ENDED' } });
  t.same(await idsIn(), []);
  t.ok(await countsAgree(account.id));
});

t.test('what a guest announces counts for that guest only, and a file opened again counts once', async (t) => {
  const { link } = await collector(app);
  const { path } = await link({ max_files: 2, max_bytes: 1000 });
  const [one, two] = [await guestOf(app, path), await guestOf(app, path)];
  const open = async (guest: Visitor, key: string, size = 100) =>
    (await openUploadOf(app, path, guest, size, { key })).statusCode;
  t.same([await open(one, 'a'), await open(one, 'b')], [201, 201]);
  t.same([await open(one, 'a'), await open(one, 'b')], [201, 201], 'a page that forgot its uploads begins again');
  t.equal(await open(one, 'c'), 409);
  t.same([await open(two, 'a', 900), await open(two, 'b', 900)], [201, 409], 'bytes, too');
});

t.test('a guest has at most ten open uploads', async (t) => {
  const { link } = await collector(app);
  const { path } = await link();
  const [one, two] = [await guestOf(app, path), await guestOf(app, path)];
  for (let at = 0; at < 10; at += 1) t.equal((await openUploadOf(app, path, one, 100)).statusCode, 201);
  t.match((await openUploadOf(app, path, one, 100)).json(), { statusCode: 429, code: 'TOO_MANY_UPLOADS' });
  t.equal((await openUploadOf(app, path, two, 100)).statusCode, 201);
});

t.test('bytes that have arrived count for all guests, until the upload ends after an hour of silence', async (t) => {
  const { link, account } = await collector(app);
  const { path } = await link({ max_bytes: 1000 });
  const [one, two] = [await guestOf(app, path), await guestOf(app, path)];
  const opened = await openUploadOf(app, path, one, 900);
  const at = String(opened.headers.location);
  t.ok(Date.parse(String(opened.headers['upload-expires'])) <= Date.now() + 3_600_000);
  t.equal((await sendPartOf(app, at, one, 0, Buffer.alloc(700))).statusCode, 204);
  t.equal((await openUploadOf(app, path, two, 400)).statusCode, 409);
  t.equal((await openUploadOf(app, path, two, 300)).statusCode, 201);
  const hours = (by: string) =>
    app.db.execute(sql`update uploads set expires_at = expires_at - ${by}::interval where owner_id = ${account.id}`);
  await hours('59 minutes');
  const [part] = [await sendPartOf(app, at, one, 700, Buffer.alloc(100))];
  t.ok(Date.parse(String(part.headers['upload-expires'])) > Date.now() + 3_500_000, 'a part keeps it alive');
  await hours('61 minutes');
  t.equal((await sendPartOf(app, at, one, 800, Buffer.alloc(100))).statusCode, 404);
  t.equal((await openUploadOf(app, path, two, 1000)).statusCode, 201);
});

t.test('guests together cannot keep more bytes of unfinished uploads than the link accepts', async (t) => {
  const { link, account } = await collector(app);
  const { path } = await link({ max_bytes: 1000 });
  const guests = await Promise.all(Array.from({ length: 5 }, () => guestOf(app, path)));
  const opened = await Promise.all(guests.map((guest) => openUploadOf(app, path, guest, 1000)));
  const statuses: number[] = [];
  for (const [at, guest] of guests.entries()) {
    const part = await sendPartOf(app, String(opened[at]?.headers.location), guest, 0, Buffer.alloc(400));
    statuses.push(part.statusCode);
    if (part.statusCode !== 204) t.match(part.json(), { code: 'COLLECT_FULL' });
  }
  t.same(statuses, [204, 204, 409, 409, 409]);
  const [held] = await app.db.execute(
    sql`select sum(received)::int as bytes, count(*)::int as count from uploads where owner_id = ${account.id}`,
  );
  t.same(held, { bytes: 800, count: 2 }, 'uploads that do not fit are deleted');
});

t.test(
  "guests wait for each other before one takes the owner's lock, ten at most, and refused ones never",
  async (t) => {
    const { link, account, call } = await collector(app);
    const [{ path }, full] = [await link(), await link({ max_bytes: 10 })];
    const guests = await Promise.all(Array.from({ length: 30 }, () => guestOf(app, path)));
    const late = await guestOf(app, full.path);
    let answers: Promise<number[]> | undefined;
    await app.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from users where id = ${account.id} for update`);
      let refused = 0;
      answers = Promise.all(
        guests.map(async (guest) => {
          const { statusCode } = await openUploadOf(app, path, guest, 100);
          if (statusCode === 429) refused += 1;
          return statusCode;
        }),
      );
      await eventually('those beyond ten are refused', () => refused === 19);
      await eventually('one waits for the lock', () => inOwnerMutex.inside(account.id) > 0);
      t.equal(inOwnerMutex.inside(account.id), 1);
      t.equal((await openUploadOf(app, full.path, late, 100)).statusCode, 409, 'without the lock');
    });
    t.same((await answers)?.sort(), [...Array(11).fill(201), ...Array(19).fill(429)]);
    t.equal((await call('GET')).statusCode, 200);
  },
);

t.test('pictures of guests are decoded in the turn of the link', async (t) => {
  const owners: string[] = [];
  const decoder: typeof sharedDecoder = {
    ...sharedDecoder,
    decode(file, options) {
      owners.push(options?.owner ?? '');
      return sharedDecoder.decode(file, options);
    },
  };
  const watched = await buildTestApp(t, { options: { decoder } });
  const { link, account } = await collector(watched);
  const { path, id } = await link();
  const guest = await guestOf(watched, path);
  const [one, two, three] = await pictures(['form.png', 'upload.png', 'own.png']);
  if (!one || !two || !three) throw new Error('no pictures');
  t.equal(await asForm(watched, { path, guest, file: one, key: 'form' }), '201');
  t.equal(await asUpload(watched, { path, guest, file: two, key: 'upload' }), '201');
  await storeFiles(watched, account, [three]);
  t.same(owners, [id, id, account.id]);
});

t.test("open uploads of guests do not count against the owner's own, and end with the link", async (t) => {
  const limited = await buildTestApp(t, { quota: 1000 });
  const { link, account, call } = await collector(limited);
  const { path, id } = await link();
  const guest = await guestOf(limited, path);
  t.equal((await openUploadOf(limited, path, guest, 900)).statusCode, 201);
  t.match((await openUploadOf(limited, path, guest, 900)).json(), { code: 'GALLERY_FULL' });
  const other = await guestOf(limited, path);
  t.equal((await openUploadOf(limited, path, other, 900)).statusCode, 201, 'nor against those of other guests');
  t.equal((await openUpload(limited, account, 900)).statusCode, 201);
  await call('DELETE', `/${id}`);
  const left = await limited.db.execute(
    sql`select 1 from uploads where owner_id = ${account.id} and guest_id is not null`,
  );
  t.equal(left.length, 0);
});

t.test('a password that is set while the last part arrives does not cost the upload', async (t) => {
  const { link, call, idsIn } = await collector(app);
  const { path, id } = await link();
  const guest = await guestOf(app, path);
  const bytes = await picture({ width: 91 });
  const at = String((await openUploadOf(app, path, guest, bytes.length)).headers.location);
  await app.db.execute(sql`
    create function set_password() returns trigger language plpgsql as $$ begin
      update collect_links set password_hash = 'x', password_version = 1 where id = '${sql.raw(id)}'; return new; end $$`);
  await app.db.execute(
    sql`create trigger sets before update of received on uploads for each row execute function set_password()`,
  );
  t.teardown(() => app.db.execute(sql`drop function if exists set_password cascade`));
  t.equal((await sendPartOf(app, at, guest, 0, bytes)).statusCode, 403);
  await app.db.execute(sql`drop function set_password cascade`);
  await call('PATCH', `/${id}`, { password: null });
  const [left] = await app.db.execute(sql`select refusal, received from uploads where id = ${at.split('/').at(-1)}`);
  t.match(left, { refusal: null, received: bytes.length });
  t.equal((await sendPartOf(app, at, guest, bytes.length, Buffer.alloc(0))).statusCode, 200);
  t.equal((await idsIn()).length, 1);
});

t.test('guests leave the uploads and the turns of their host alone', async (t) => {
  const own = await buildTestApp(t, { options: { admission: { perAccount: 1 } } });
  const { link, account } = await collector(own);
  const { path } = await link();
  const guest = await guestOf(own, path);
  const files = await pictures(Array.from({ length: 8 }, (_, at) => `${at}.png`));
  const guests = files.map((file) => addFiles(own, path, guest, [file]));
  const mine = await storeFiles(own, account, await pictures(['mine.png']));
  t.equal(mine.length, 1);
  const statuses = (await Promise.all(guests)).map(({ statusCode }) => statusCode);
  t.ok(statuses.every((status) => status === 201 || status === 503));
});

t.test('a file is refused with the reasons of any upload', async (t) => {
  const small = await buildTestApp(t, { maxFileSize: 4096 });
  const { link } = await collector(small);
  const { path } = await link();
  const guest = await guestOf(small, path);
  const answer = await addFiles(small, path, guest, [
    { name: 'a.txt', bytes: 'no image' },
    { name: 'b.png', bytes: (await picture()).subarray(0, 60) },
    { name: 'c.png', bytes: '' },
    { name: 'd.png', bytes: Buffer.alloc(5000) },
  ]);
  t.same(
    answer.json().rejected.map(({ code }: { code: string }) => code),
    ['NOT_AN_IMAGE', 'DAMAGED_IMAGE', 'EMPTY_FILE', 'FILE_TOO_LARGE'],
  );
  t.match((await openUploadOf(small, path, guest, 5000)).json(), { code: 'FILE_TOO_LARGE' });
});
