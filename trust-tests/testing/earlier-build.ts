/** Servers of an earlier build of this program, and what one of its accounts sees. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { AlbumPage, Image, ResumableUpload } from '../../server/contract.ts';
import { noise, picture, placed } from '../../server/testing/pictures.ts';
import { nameHeader, tusHeaders } from '../../server/testing/tus.ts';
import { type Account, newAccount, pathOf, store } from './account.ts';
import { asJson, call } from './call.ts';
import { listAll } from './holdings.ts';
import type { Home, Living } from './home.ts';
import { sha256 } from './ledger.ts';

/** A folder with a built checkout of an earlier commit. */
const folder = process.env.GALLERY_EARLIER_BUILD;
const main = join(folder ?? '', 'build', 'program', 'main.js');

/** For tap's `skip`: why no earlier build can be started, or false. */
export const withoutEarlierBuild: string | false = folder
  ? existsSync(main)
    ? false
    : `GALLERY_EARLIER_BUILD: ${folder} contains no build/program/main.js; run "npm run build" in it`
  : 'GALLERY_EARLIER_BUILD does not name a built checkout of an earlier commit';

/** Starts the earlier build on the same data. */
export const startEarlier = (home: Home): Promise<Living> =>
  home.start({}, ([node = process.execPath, ...args]) => [node, ...args.slice(0, -1), main]);

const jsonOf = async (origin: string, path: string, headers: Record<string, string>): Promise<unknown> => {
  const { status, body } = await call(origin, path, { headers });
  if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
  return JSON.parse(body);
};

/** Links contain the port, which differs between two servers. */
const withoutOrigin = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll(/http:\/\/[^/"]+/g, ''));

export type OpenUpload = { path: string; bytes: Buffer; sent: number };

export async function sendPart(
  origin: string,
  { bearer }: Account,
  { path, bytes }: OpenUpload,
  from: number,
  to: number,
) {
  const headers = {
    ...tusHeaders,
    ...bearer,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': from,
  };
  const { status, body } = await call(origin, path, { method: 'PATCH', headers, body: bytes.subarray(from, to) });
  if (status !== 204 && status !== 200) throw new Error(`part: ${status} ${body}`);
}

export async function offsetOf(origin: string, { bearer }: Account, { path }: OpenUpload): Promise<number> {
  const { headers } = await call(origin, path, { method: 'HEAD', headers: { ...tusHeaders, ...bearer } });
  return Number(headers['upload-offset']);
}

export const outcomeOf = async (origin: string, { bearer }: Account, { path }: OpenUpload) =>
  (await jsonOf(origin, path, bearer)) as ResumableUpload;

/** Opens a resumable upload and sends most of it. */
async function leaveUploadOpen(origin: string, account: Account): Promise<OpenUpload> {
  const bytes = await noise(1200, 900);
  const headers = { ...tusHeaders, ...account.bearer, ...nameHeader('resumed.jpg'), 'upload-length': bytes.length };
  const answer = await call(origin, '/api/uploads', { method: 'POST', headers });
  if (answer.status !== 201) throw new Error(`opening: ${answer.status} ${answer.body}`);
  const upload = { path: String(answer.headers.location), bytes, sent: Math.floor(bytes.length * 0.7) };
  await sendPart(origin, account, upload, 0, Math.floor(upload.sent / 2));
  await sendPart(origin, account, upload, Math.floor(upload.sent / 2), upload.sent);
  return upload;
}

export type FilledAccount = { account: Account; albumId: string; albumLink: string; upload: OpenUpload };

/** Fills an account: several formats, metadata with a place, two images with the same bytes, an album, an open upload. */
export async function fillAccount(origin: string): Promise<FilledAccount> {
  const account = await newAccount(origin);
  const twice = await noise(300, 200);
  const images = await store(origin, account, [
    { name: 'place.jpg', bytes: await placed() },
    { name: 'large.jpg', bytes: await noise(2000, 1500) },
    { name: 'صورة.png', bytes: await picture({ format: 'png', width: 640, height: 480 }) },
    { name: 'still.webp', bytes: await noise(500, 400, 'webp') },
    { name: 'turned.jpg', bytes: await picture({ format: 'jpeg', width: 200, height: 100, orientation: 6 }) },
    { name: 'first.jpg', bytes: twice },
    { name: 'second.jpg', bytes: twice },
    { name: 'deleted.jpg', bytes: await noise(100, 100) },
  ]);
  const deleted = images.find(({ filename }) => filename === 'deleted.jpg');
  const ids = images.filter((image) => image !== deleted).map(({ id }) => id);
  const { bearer } = account;
  const change = async (path: string, method: string, value?: object) => {
    const { headers, body } = asJson(value);
    const answer = await call(origin, path, {
      method,
      headers: { ...bearer, ...(value && headers) },
      ...(value && body && { body }),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
    return answer.body ? JSON.parse(answer.body) : undefined;
  };
  await change(`/api/images/delete/${deleted?.id}`, 'DELETE');
  const { album } = await change('/api/albums/', 'POST', { name: `Summer ${randomBytes(2).toString('hex')}` });
  await change(`/api/albums/${album.id}/images`, 'POST', { ids: ids.toReversed() });
  await change(`/api/albums/${album.id}`, 'PATCH', { cover: ids[2] });
  const { url } = await change(`/api/albums/${album.id}/link`, 'POST');
  return { account, albumId: album.id, albumLink: pathOf(url), upload: await leaveUploadOpen(origin, account) };
}

export type Snapshot = {
  list: Image[];
  /** SHA-256 of each original, redacted original and rendition, by its path. */
  bytes: Record<string, string>;
  album: AlbumPage;
  albumIsPublic: boolean;
  user: unknown;
  usage: unknown;
};

/** All that the account can see, by the session's cookie and by the session's token. */
export async function takeSnapshot(origin: string, { account, albumId, albumLink }: FilledAccount): Promise<Snapshot> {
  const images = await listAll(origin, account);
  const bytes: Record<string, string> = {};
  for (const { id, url, thumbnail_url, screen_url } of images) {
    const links = [url, thumbnail_url, screen_url].map(pathOf);
    for (const path of [...links, `/api/images/${id}/original`]) {
      const answer = await call(origin, path, { headers: account.bearer });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      bytes[path] = sha256(answer.bytes);
    }
  }
  const page = (await jsonOf(origin, `/api/albums/${albumId}`, account.bearer)) as AlbumPage;
  return {
    list: withoutOrigin(images),
    bytes,
    // Each snapshot opens the album's public page, which counts.
    album: withoutOrigin({ ...page, album: { ...page.album, views: 0 } }),
    albumIsPublic: (await call(origin, albumLink)).status === 200,
    user: await jsonOf(origin, '/api/auth/me', { cookie: account.cookie }),
    usage: await jsonOf(origin, '/api/images/usage', account.bearer),
  };
}

/** Leaves out fields that the earlier answer did not have. */
function commonFields(now: unknown, before: unknown): unknown {
  if (typeof now !== 'object' || typeof before !== 'object' || now === null || before === null) return now;
  const was = new Map(Object.entries(before));
  if (Array.isArray(now)) return now.map((value, index) => commonFields(value, was.get(String(index))));
  const common = Object.entries(now).filter(([key]) => was.has(key));
  return Object.fromEntries(common.map(([key, value]) => [key, commonFields(value, was.get(key))]));
}

/** Checks that this build serves all that the earlier one did, and completes the open upload. */
export async function checkUpgrade(t: Test, origin: string, filled: FilledAccount, before: Snapshot): Promise<void> {
  const { account, upload } = filled;
  t.same(
    commonFields(await takeSnapshot(origin, filled), before),
    before,
    'session, list, bytes, album and usage are the same',
  );
  t.equal(await offsetOf(origin, account, upload), upload.sent, 'the open upload has its offset');
  await sendPart(origin, account, upload, upload.sent, upload.bytes.length);
  const { state, image } = await outcomeOf(origin, account, upload);
  t.equal(state, 'stored');
  const original = await call(origin, `/api/images/${image?.id}/original`, { headers: account.bearer });
  t.equal(sha256(original.bytes), sha256(upload.bytes), 'the resumed upload has every byte');
  const stored = await store(origin, account, [{ name: 'new.jpg', bytes: await noise(120, 80) }]);
  t.equal(stored.length, 1, 'a new upload is stored');
}
