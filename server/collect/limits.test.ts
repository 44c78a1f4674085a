/** The limits of a link and of its owner hold, however many guests add at once. */
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { NoSpace } from '../errors.ts';
import { buildTestApp, testConfig } from '../testing/app.ts';
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

t.test('open uploads of guests count against the link, and a file opened again counts once', async (t) => {
  const { link } = await collector(app);
  const { path } = await link({ max_files: 2 });
  const [one, two] = [await guestOf(app, path), await guestOf(app, path)];
  const open = async (guest: Visitor, key: string) => (await openUploadOf(app, path, guest, 100, { key })).statusCode;
  t.same([await open(one, 'a'), await open(two, 'a')], [201, 201]);
  t.same([await open(one, 'a'), await open(two, 'a')], [201, 201], 'a page that forgot its uploads begins again');
  t.equal(await open(one, 'b'), 409);
});

t.test("open uploads of guests do not count against the owner's own, and end with the link", async (t) => {
  const limited = await buildTestApp(t, { quota: 1000 });
  const { link, account, call } = await collector(limited);
  const { path, id } = await link();
  const guest = await guestOf(limited, path);
  t.equal((await openUploadOf(limited, path, guest, 900)).statusCode, 201);
  t.match((await openUploadOf(limited, path, guest, 900)).json(), { code: 'GALLERY_FULL' });
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
