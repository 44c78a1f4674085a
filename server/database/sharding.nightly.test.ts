/**
 * Checks that the tables can be sharded by owner: every statement names the owner, image, link or session it is about.
 * The test records all statements of a run that calls every query function of the rooms of pictures, and the usual ones of accounts.
 */
import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import type { TestAccount } from '../testing/account.ts';
import { countCalls } from '../testing/called-functions.ts';
import { eventually } from '../testing/eventually.ts';
import { postFiles, storeFiles } from '../testing/form.ts';
import { readMail, startMailServer } from '../testing/mail/mail-server.ts';
import { noise, picture } from '../testing/pictures.ts';
import { query } from '../testing/postgres/embedded.ts';
import { createObservedDatabase } from '../testing/postgres/observed-database.ts';
import { askOffset, askOutcome, cancelUpload, opened, sendPart } from '../testing/tus.ts';
import type { ClientDatabase } from './connect.ts';

t.setTimeout(180_000);

const tables =
  'images|shares|share_images|held_names|collect_links|collect_guests|collected_images|albums|album_images|api_tokens|uploads|image_counts|sessions|password_resets|email_changes|devices|users|orphaned_blobs|rate_limits|installation|rendition_attempts|leases|stable_links|ended_links|identities|passkeys|totp_secrets|recovery_codes|challenges|invites|admin_claims|audit_log|admin_jobs';
const ofTables = new RegExp(`\\b(?:from|join|into|update|using) "?(?:${tables})\\b`);

/** Columns that find a row on one server: an owner's rows are together, and public keys name one row. */
const keys =
  'owner_id|user_id|id|image_id|album_id|share_id|link_id|guest_id|content_id|link_key|short_name|email_key|username_key|token_hash|secret_hash|delete_hash|key|name';

/** `owner_id = $1`, `"images"."id" in ($1, $2)`, `id = any($1)`, `users.id = given.user_id` next to one of those. */
const given = new RegExp(
  `\\b(?:${keys})"?\\s*(?:=|in|is not distinct from)\\s*\\(?\\s*(?:any\\s*\\(\\s*)?(?:array\\[)?\\$\\d`,
);
const inserted = new RegExp(`^\\s*insert into [^(]*\\([^)]*\\b(?:${keys})\\b`);
/** Keys found by another statement, inside this one (`()`) or around it. */
const found = new RegExp(`\\b(?:${keys})"? in \\(\\)`);
const beside = new RegExp(`\\b(?:${keys})"? = "?(?!(?:${tables})\\b)\\w+"?\\."?(?:${keys})\\b`);

/** Statements that cover all accounts, run in the background or once at the start: they run on every server in turn. */
const background: Record<string, RegExp> = {
  'expired rate limit windows, once a minute': /^delete from "rate_limits" where \("rate_limits"\."resets_at" </,
  'processes with orphaned blobs, once a minute': /^select distinct "process" from "orphaned_blobs"/,
  'orphaned blobs of a dead process, once a minute':
    /^update "orphaned_blobs" .* where "orphaned_blobs"\."process" = \$2 limit/,
  'the storage that belongs to the database, at the start': /^(?:select .*|delete) from "installation"$/,
  'expired sessions, once a minute': /^delete from "sessions" where "sessions"\."expires_at" </,
  'ended shares, once a minute': /^delete from "shares" where \("shares"\."ended_at" </,
  'names of links that are gone, once a minute': /^delete from "held_names" where "held_names"\."freed_at" </,
  'ended collect links, once a minute': /^delete from "collect_links" where \(\("collect_links"\."ended_at" </,
  'guests without images, once a minute': /^delete from "collect_guests" where \("collect_guests"\."expires_at" </,
  'expired API tokens, once a minute': /^delete from "api_tokens" where "api_tokens"."expires_at" </,
  'expired images, once a minute':
    /^select "id", "owner_id", "expires_at" from "images" where "images"\."expires_at" <= now\(\)/,
  'links of images that expired long ago, once a minute':
    /^delete from "ended_links" where "ended_links"\."ended_at" </,
  'expired password resets, once a minute': /^delete from "password_resets" where "password_resets"\."expires_at" </,
  'expired email changes, once a minute': /^delete from "email_changes" where "email_changes"\."expires_at" </,
  'expired challenges, once a minute': /^delete from "challenges" where "challenges"\."expires_at" </,
  'invitations that ended long ago, once a minute': /^delete from "invites" where "invites"\."expires_at" </,
  'old addresses in the audit log, once a minute':
    /^update "audit_log" set "address" = \$1 where .*"audit_log"\."at" </,
  'expired uploads, once a minute': /^delete from "uploads" where "uploads"\."expires_at" </,
  'complete uploads of a stopped process, once a minute':
    /^select .* from "uploads" where \("uploads"\."received" = "uploads"\."size"/,
  'the newest due renditions, one at a time, and once a minute':
    /^select .* from "images" where "images"\."renditions_due" and coalesce\(\(/,
  'attempts at deleted images, once a minute':
    /^delete from "rendition_attempts" where "rendition_attempts"\."next_at" <=/,
  'the lease of the sweep, once a minute': /^insert into "leases"/,
  'whether any images exist, at the start':
    /^select exists|^select "id", "content_id", "extension", "sealed" from "images" limit/,
};

const oneLine = (statement: string) => statement.replace(/\s+/g, ' ').trim();
const isStatement = (text: string) => /^\s*(?:with|select|insert|update|delete)\b/.test(text);
const isOfOurs = (statement: string) => isStatement(statement.toLowerCase()) && ofTables.test(statement.toLowerCase());

/** The nested statements, then the statement itself; each shows `()` where another was nested. */
function statementsIn(text: string): string[] {
  const inner: string[] = [];
  const open = [''];
  for (const letter of text) {
    const closed = letter === ')' && open.length > 1 ? (open.pop() ?? '') : undefined;
    const isInner = closed !== undefined && isStatement(closed);
    if (isInner) inner.push(closed);
    if (letter === '(') open.push('');
    else open.push(`${open.pop()}${closed === undefined ? letter : `(${isInner ? '' : closed})`}`);
  }
  return [...inner, open.join('(')];
}

/** Checks each statement in it by its own last `where`. */
function isKeyed(statement: string): boolean {
  const all = statementsIn(statement.toLowerCase());
  return all.every((one, place) => {
    if (!ofTables.test(one) || inserted.test(one)) return true;
    if (place < all.length - 1 && beside.test(one)) return true;
    const [, behind = ''] = /.* where (.*)/s.exec(one) ?? [];
    return given.test(behind) || found.test(behind);
  });
}

const password = 'a long enough password';

type Call = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD',
  url: string,
  payload?: object,
) => Promise<{ statusCode: number; json(): never }>;

/** Calls as one account; a status of 500 or more fails the test. */
const callsOf =
  (t: Test, app: FastifyInstance, { bearer }: TestAccount): Call =>
  async (method, url, payload) => {
    const answer = await app.inject({ method, url, headers: bearer, ...(payload ? { payload } : {}) });
    t.ok(answer.statusCode < 500, `${method} ${url}: ${answer.statusCode}`);
    return answer as never;
  };

type Images = Awaited<ReturnType<typeof storeFiles>>;

async function upload(app: FastifyInstance, account: TestAccount): Promise<Images> {
  const same = await picture({ width: 99 });
  const files = [
    { name: 'large.jpg', bytes: await noise(2000, 1500) },
    { name: 'one.png', bytes: same },
    { name: 'two.png', bytes: await picture({ width: 98 }) },
  ];
  const images = await storeFiles(app, account, files, { query: '?delete_link=1' });
  // Duplicate bytes, a repeated upload key, and a file that is no image.
  await postFiles(app, account, [{ name: 'same.png', bytes: same }], { keys: ['a-key-of-mine-0001'] });
  await postFiles(app, account, [{ name: 'same.png', bytes: same }], { keys: ['a-key-of-mine-0001'] });
  await postFiles(app, account, [{ name: 'none.png', bytes: 'no picture' }]);
  const keyed = { ...account.bearer, 'upload-keys': 'a-key-of-mine-0001' };
  await app.inject({ url: '/api/images/uploaded', headers: keyed });
  return images;
}

async function uploadInPieces(app: FastifyInstance, account: TestAccount): Promise<void> {
  for (const bytes of [await picture({ width: 77 }), Buffer.from('no picture at all')]) {
    const path = await opened(app, account, bytes.length);
    await sendPart(app, account, path, 0, bytes.subarray(0, 5));
    await askOffset(app, account, path);
    await sendPart(app, account, path, 5, bytes.subarray(5));
    await askOutcome(app, account, path);
  }
  const path = await opened(app, account, 100);
  await cancelUpload(app, account, path);
}

async function browse(call: Call, images: Images): Promise<void> {
  for (const sort of ['', '&sort=name', '&sort=size', '&sort=uploaded&order=asc', '&sort=name&order=desc'])
    for (const page of [1, 2, 25]) await call('GET', `/api/images/?page=${page}${sort}`);
  for (const search of ['one', 'large jpg', 'type:png', 'one after:2020-01-01', 'album:none', 'x', 'camera:acme'])
    await call('GET', `/api/images/?search=${encodeURIComponent(search)}`);
  const [first] = images;
  for (const url of images.flatMap((image) => [image.url, image.thumbnail_url, image.screen_url, image.delete_url])) {
    if (url) await call('GET', new URL(url).pathname);
  }
  await call('GET', `/api/images/${first?.id}/original`);
  await call('GET', `/api/images/archive?ids=${images.map(({ id }) => id).join()}`);
  await call('GET', '/api/images/usage');
  await call('PATCH', `/api/images/${first?.id}`, { filename: 'other.jpg', description: 'words' });
}

async function keepStableLinks(call: Call, images: Images): Promise<void> {
  const [one, other] = images.map(({ id }) => id);
  const { stable_link: link } = (await call('POST', '/api/stable-links', { name: 'logo', image: one })).json() as {
    stable_link: { id: string };
  };
  await call('GET', '/api/stable-links');
  await call('GET', '/l/logo');
  await call('PATCH', `/api/stable-links/${link.id}`, { name: 'banner', image: other });
  await call('DELETE', `/api/stable-links/${link.id}`);
  await call('POST', '/api/images/rotate', { ids: [other] });
  await call('GET', '/api/images/expiring');
}

type Plant = (statement: string) => Promise<unknown>;

async function keepAlbums(call: Call, images: Images, plant: Plant): Promise<void> {
  const ids = images.map(({ id }) => id);
  const made = async (name: string): Promise<string> =>
    ((await call('POST', '/api/albums/', { name })).json() as { album: { id: string } }).album.id;
  const [id, other, third] = [await made('First'), await made('Second'), await made('Third')];
  await call('POST', `/api/albums/${id}/images`, { ids });
  await call('GET', '/api/albums/');
  await call('GET', `/api/albums/${id}?page=1`);
  await call('PATCH', `/api/albums/${id}/images`, { ids: ids.slice(0, 1), before: null });
  await call('PATCH', `/api/albums/${id}/images`, { ids: ids.slice(0, 1), before: ids[1] });
  await call('PATCH', `/api/albums/${id}`, { name: 'Changed', cover: ids[0], position: 2 });
  await call('PATCH', `/api/albums/${id}`, { cover: null, position: 1 });
  // Leave no gap between two positions.
  const close = 'row_number() over (order by position) as place';
  await plant(`update albums set position = place from (select id as own, ${close} from albums) a where id = own`);
  await plant(
    `update album_images set position = place from (select image_id as own, ${close} from album_images) a where image_id = own`,
  );
  await call('PATCH', `/api/albums/${third}`, { position: 2 });
  await call('PATCH', `/api/albums/${other}`, { position: 2 });
  await call('PATCH', `/api/albums/${id}/images`, { ids: [ids[2]], before: ids[1] });
  await call('PATCH', `/api/albums/${id}/images`, { ids: [ids[0]], before: ids[1] });
  await call('POST', '/api/albums/holding', { ids });
  const { url } = (await call('POST', `/api/albums/${id}/link`)).json() as { url: string };
  await call('GET', new URL(url).pathname);
  await call('GET', `${new URL(url).pathname}?page=2`);
  await call('PATCH', `/api/shares/${id}`, { name: 'Other' });
  await call('DELETE', `/api/albums/${id}/link`);
  await call('DELETE', `/api/albums/${id}/images`, { ids: ids.slice(1) });
  await call('DELETE', `/api/albums/${other}`);
}

async function keepShares(app: FastifyInstance, call: Call, images: Images): Promise<void> {
  const ids = images.map(({ id }) => id);
  const { album } = (await call('POST', '/api/albums/', { name: 'Shared' })).json() as { album: { id: string } };
  await call('POST', `/api/albums/${album.id}/images`, { ids });
  const taken = { name: 'Two', album: album.id, short_name: 'taken', guessable: true };
  await call('POST', '/api/shares/', taken);
  await call('POST', '/api/shares/', taken);
  for (const contents of [{ images: ids }, { album: album.id }]) {
    const made = await call('POST', '/api/shares/', { name: 'One', ...contents });
    const { share } = made.json() as { share: { id: string; url: string } };
    const { pathname } = new URL(share.url);
    const page = await app.inject(pathname);
    for (const [address] of page.body.matchAll(/\/s\/[\w-]+\/i\/[\w./-]+/g)) await call('GET', address);
    for (const path of ['?page=2', '/zip', '/oembed']) await call('GET', pathname + path);
    await call('PATCH', `/api/shares/${share.id}`, { password, short_name: `name-${share.id.slice(0, 8)}` });
    await call('GET', `/s/name-${share.id.slice(0, 8)}`);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await app.inject({ method: 'POST', url: pathname, headers, payload: 'password=wrong' });
    await call('GET', '/api/shares/');
    await call('DELETE', `/api/shares/${share.id}`);
  }
}

async function collect(app: FastifyInstance, call: Call): Promise<void> {
  const { addFiles, enter, openUploadOf, pictures, sendPartOf } = await import('../testing/guests/collector.ts');
  const { album } = (await call('POST', '/api/albums/', { name: 'Party' })).json() as { album: { id: string } };
  const made = await call('POST', '/api/collect-links/', { name: 'One', album: album.id, open: true });
  const { collect_link: link } = made.json() as { collect_link: { id: string; url: string } };
  const { pathname: path } = new URL(link.url);
  const { cookies } = await enter(app, path);
  const guest = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
  await enter(app, path, {}, guest);
  for (const look_first of [false, true]) {
    await call('PATCH', `/api/collect-links/${link.id}`, { look_first });
    await addFiles(app, path, guest, await pictures([`${look_first}.png`, 'other.png']), { keys: ['1', '2'] });
    const bytes = await picture({ width: look_first ? 78 : 79 });
    const at = (await openUploadOf(app, path, guest, bytes.length, { key: `${look_first}` })).headers.location;
    await sendPartOf(app, String(at), guest, 0, bytes);
    for (const url of ['link', 'images', 'album', 'uploaded'])
      await app.inject({ url: `${path}/${url}`, headers: guest });
  }
  await call('PATCH', `/api/collect-links/${link.id}`, { max_files: 1 });
  await addFiles(app, path, guest, await pictures(['late.png']), { keys: ['3'] });
  const { images } = (await app.inject({ url: `${path}/images`, headers: guest })).json();
  for (const { thumbnail_url } of images) await app.inject({ url: new URL(thumbnail_url).pathname, headers: guest });
  await app.inject({ method: 'DELETE', url: `${path}/images/${images.at(-1).id}`, headers: guest });
  const { images: waiting } = (await call('GET', '/api/collect-links/waiting/')).json() as { images: { id: string }[] };
  const [first, ...rest] = waiting.map(({ id }) => id);
  await call('GET', `/api/collect-links/waiting/${first}/thumbnail.webp`);
  await call('POST', '/api/collect-links/waiting/admit', { ids: [first] });
  await call('POST', '/api/collect-links/waiting/refuse', { ids: rest });
  await call('GET', '/api/collect-links/');
  await call('DELETE', `/api/collect-links/${link.id}`);
}

/** Data of earlier versions, sessions an hour old, and searches of a large gallery. */
async function meetRareCases(call: Call, images: Images, plant: Plant): Promise<void> {
  await plant(`update sessions set seen_at = seen_at - interval '1 hour'`);
  await call('GET', '/api/auth/me');
  const pathOf = (url = '') => new URL(url).pathname;
  await plant(`update images set thumbnail_sha256 = null, traces = null`);
  for (const { thumbnail_url, url } of images) {
    await call('GET', pathOf(thumbnail_url));
    await call('GET', pathOf(url));
  }
  await plant(`update users set image_count = image_count + 100000`);
  for (const text of ['one', 'o', 'zebra', 'type:png', 'png size:>1']) {
    await call('GET', `/api/images/?search=${encodeURIComponent(text)}`);
  }
  await plant(`update users set image_count = image_count - 100000`);
}

/** Calls of programs, with and without an album. */
async function useTokens(t: Test, app: FastifyInstance, account: TestAccount, images: Images): Promise<void> {
  const call = callsOf(t, app, account);
  const { album } = (await call('POST', '/api/albums/', { name: 'Of a program' })).json() as { album: { id: string } };
  const scopes = ['images:upload', 'images:read', 'images:write', 'images:delete', 'albums:read', 'albums:write'];
  const { proofOf } = await import('../testing/account.ts');
  const proof = await proofOf(app, account.bearer);
  await call('POST', '/api/account/tokens', { name: 'a program', scopes, album: 'none', proof });
  for (const fields of [{}, { album: album.id }]) {
    const made = await call('POST', '/api/account/tokens', { name: 'a program', scopes, proof, ...fields });
    const { token, secret } = made.json() as { token: { id: string }; secret: string };
    const bearer = { authorization: `Bearer ${secret}` };
    const ask = callsOf(t, app, { ...account, bearer });
    const [image] = await storeFiles(app, { bearer }, [{ name: 'a.png', bytes: await picture({ width: 71 }) }]);
    await uploadInPieces(app, { ...account, bearer });
    for (const path of ['', '?search=large', `${image?.id}`, `${images[0]?.id}`])
      await ask('GET', `/api/images/${path}`);
    await ask('GET', '/api/albums/');
    await ask('POST', `/api/albums/${album.id}/images`, { ids: images.map(({ id }) => id) });
    await ask('POST', '/api/albums/holding', { ids: [image?.id] });
    await ask('PATCH', `/api/images/${image?.id}`, { description: 'words' });
    await ask('DELETE', `/api/images/delete/${image?.id}`);
    await ask('GET', '/api/account/tokens/current');
    await call('GET', '/api/account/tokens');
    await call('PATCH', `/api/account/tokens/${token.id}`, { name: 'other', album: album.id });
    await call('DELETE', `/api/account/tokens/${token.id}`);
  }
}

/** Queries that only conflicts and failures cause. */
async function askDirectly(db: ClientDatabase, ownerId: string, content: string): Promise<void> {
  const { findByContent, lockNaming } = await import('../images/content/queries.ts');
  const { deleteUndecided } = await import('../ingest/tus/queries.ts');
  const { failAttempt, undoAttempt } = await import('../renditions/queries.ts');
  const row = await findByContent(db, content);
  if (row) {
    const attempt = { row, tries: 2, earlier: { tries: 1, nextAt: new Date() } };
    await failAttempt(db, attempt);
    await undoAttempt(db, attempt);
  }
  await deleteUndecided(db, content);
  await db.transaction((tx) => lockNaming(tx, ownerId, [content]));
}

type Mails = (count: number) => Promise<string[]>;

/** The tokens in mailed links to `path`, once there are `count` of them. */
const tokensOf = (post: Awaited<ReturnType<typeof startMailServer>>, path: string): Mails => {
  const found = () =>
    post.mails.flatMap((mail) => new RegExp(`${path}#token=([\\w-]+)`).exec(readMail(mail).plain)?.[1] ?? []);
  return async (count) => {
    await eventually(`${count} mails with a link to ${path}`, async () => found().length >= count);
    return found();
  };
};

async function changeEmail(t: Test, app: FastifyInstance, account: TestAccount, tokens: Mails): Promise<void> {
  const change = { email: `new-${account.email}`, password };
  const answer = await callsOf(t, app, account)('PATCH', '/api/account', change);
  const { access_token } = answer.json() as { access_token: string };
  const call = callsOf(t, app, { ...account, bearer: { authorization: `Bearer ${access_token}` } });
  await call('PATCH', '/api/account/mail', { login_mails: true });
  await call('POST', '/api/account/mail/resend');
  const token = (await tokens(2)).at(-1);
  await call('POST', '/api/auth/email', { token });
  await call('DELETE', '/api/account/mail/pending');
  await call('POST', '/api/account/password', { current_password: password, new_password: password, end_tokens: true });
}

type LogIn = typeof import('../testing/account.ts').logIn;

async function changeAccount(app: FastifyInstance, call: Call, account: TestAccount, logIn: LogIn): Promise<void> {
  await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: account.email, password: 'wrong' } });
  const [second, third] = [await logIn(app, account), await logIn(app, account)];
  await call('GET', '/api/auth/me');
  const { sessions } = (await call('GET', '/api/account/sessions')).json() as {
    sessions: { id: string; current: boolean }[];
  };
  await call('DELETE', `/api/account/sessions/${sessions.find(({ current }) => !current)?.id}`);
  await call('DELETE', '/api/account/sessions');
  for (const { bearer } of [second, third])
    await app.inject({ method: 'POST', url: '/api/auth/logout', headers: bearer });
  await call('PATCH', '/api/account', { username: 'another name' });
}

async function forgetPassword(app: FastifyInstance, email: string, tokens: Mails): Promise<void> {
  await app.inject({ method: 'POST', url: '/api/auth/forgot', payload: { email } });
  const [token] = await tokens(1);
  const reset = { token, password };
  const answer = await app.inject({ method: 'POST', url: '/api/auth/reset', payload: reset });
  if (answer.statusCode !== 204) throw new Error(answer.body);
}

/** Only the administrator's commands use these, one after another; a server never does. */
const ofCommands = [
  'server/images/content/queries: firstOfEach',
  'server/images/content/queries: imagesNaming',
  'server/images/content/queries: settledContent',
  'server/images/content/queries: sharedContents',
  'server/images/expiry/queries: countOverdue',
  'server/images/queries: bytesOfImages',
  'server/images/queries: countImagesAfter',
  'server/images/queries: imagesAfter',
  'server/images/orphaned-blobs/queries: ownRows',
];

/** Totals for the operator: with METRICS_PORT set, as sums over all servers. */
const ofMetrics = ['readCounts', 'readJobs', 'sampleImages'].map((name) => `server/monitoring/queries: ${name}`);

/** Computes from earlier results. */
const withoutStatement = ['server/gallery/search: rounded'];

t.test('every statement names its owner’s rows, and the run calls every query function of pictures', async (t) => {
  const post = await startMailServer(t);
  const { url: databaseUrl, direct, statements } = await createObservedDatabase(t);
  const plant: Plant = (statement) => query(direct, statement);
  const uncalled = await countCalls((url) =>
    /\/build\/server\/(?!admin|audit|auth|database|monitoring\/slow).*(?:queries|transactions|pages|search)\.js$/.test(
      url,
    ),
  );
  // Imported late: modules loaded earlier are not counted.
  const { buildTestApp } = await import('../testing/app.ts');
  const { logIn, signIn } = await import('../testing/account.ts');
  const app = await buildTestApp(t, {
    databaseUrl,
    pageSize: 2,
    rateLimit: 'on',
    renditionsAhead: 'on',
    smtpUrl: post.url,
    mailFrom: 'gallery@example.com',
    publicUrl: 'https://img.example.com',
    options: { idleAfter: 0 },
  });
  const account = await signIn(app);
  const call = callsOf(t, app, account);
  const images = await upload(app, account);
  await uploadInPieces(app, account);
  await browse(call, images);
  await keepAlbums(call, images, plant);
  await keepShares(app, call, images);
  await collect(app, call);
  await keepStableLinks(call, images);
  await eventually(
    'no renditions are due',
    async () => (await query(direct, 'select 1 from images where renditions_due')).length === 0,
  );
  await meetRareCases(call, images, plant);
  await askDirectly(app.db, account.id, images[0]?.id ?? '');
  await useTokens(t, app, account, images);
  await changeAccount(app, call, account, logIn);
  await app.sweeps.sweepShared();
  await app.sweeps.run();
  for (const { id } of images) await call('DELETE', `/api/images/delete/${id}`);
  await call('DELETE', '/api/images/delete/00000000-0000-4000-8000-000000000000');
  await changeEmail(t, app, account, tokensOf(post, '/email'));
  await forgetPassword(app, `new-${account.email}`, tokensOf(post, '/reset'));
  const again = await logIn(app, { email: `new-${account.email}`, password });
  await storeFiles(app, again, [{ name: 'last.png', bytes: await picture({ width: 55 }) }]);
  await callsOf(t, app, again)('DELETE', '/api/account', { password });
  await eventually(
    'the orphaned blobs are swept',
    async () => (await query(direct, 'select 1 from orphaned_blobs')).length === 0,
  );

  const ours = [...statements].map(oneLine).filter(isOfOurs);
  t.ok(ours.length > 60, `${ours.length} statements were recorded`);
  const allowed = Object.values(background);
  t.same(
    ours.filter((statement) => !isKeyed(statement) && !allowed.some((form) => form.test(statement))),
    [],
    'no statement covers all accounts',
  );
  for (const [what, form] of Object.entries(background))
    t.ok(
      ours.some((statement) => form.test(statement)),
      what,
    );
  t.same(
    await uncalled(),
    [...ofCommands, ...ofMetrics, ...withoutStatement].sort(),
    'all other query functions were called',
  );
});

t.test('statements with a key and without one are distinguished', async (t) => {
  for (const keyed of [
    'select * from "images" where "images"."owner_id" = $1 order by "id"',
    'update "sessions" set "seen_at" = now() where "sessions"."id" = $1',
    'insert into "albums" ("id", "owner_id") values ($1, $2)',
    'select 1 from images where id in ($1, $2)',
    'delete from "uploads" where "id" in ($1)',
    'delete from "uploads" where "id" in (select "id" from "uploads" where "owner_id" = $1 and "refusal" is null)',
    'select (select count(*) from album_images where album_id = a.id) from albums a where a.link_key = $1',
  ])
    t.ok(isOfOurs(keyed) && isKeyed(keyed), keyed);
  for (const loose of [
    'select * from "images" order by "id" desc limit $1',
    'select count(*) from images where size > $1',
    'update "sessions" set "seen_at" = $1',
    'select * from images join users on users.id = images.owner_id where users.disabled_at is null',
    'update "uploads" set "image_id" = $1 where "received" = "size"',
    'select * from "images" where exists (select 1 from "albums" where "albums"."owner_id" = $1)',
    'delete from "uploads" where "id" in (select "id" from "uploads" where "refusal" is null limit $1)',
    'select * from "images" where "owner_id" = $1 and "id" in (select "image_id" from "album_images")',
  ])
    t.ok(isOfOurs(loose) && !isKeyed(loose), loose);
});
