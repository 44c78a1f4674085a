import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectLink, ResumableUpload, WaitingPage } from '../../server/contract.ts';
import { eventually } from '../../server/testing/eventually.ts';
import { form, type SentFile } from '../../server/testing/form.ts';
import { tusHeaders } from '../../server/testing/tus.ts';
import { type Account, newAccount, pathOf } from '../testing/account.ts';
import { asJson, call } from '../testing/call.ts';
import { fault } from '../testing/fault.ts';
import { checkBytes, listAll } from '../testing/holdings.ts';
import { createHome, type Living } from '../testing/home.ts';
import { sha256 } from '../testing/ledger.ts';
import { pictures } from '../testing/load/storm.ts';
import { rounds } from '../testing/rounds.ts';

const guestCount = 20;
const filesEach = 4;
const kills = rounds(3, 30);

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The album of a new account and a link to it whose images wait. */
async function linkOf(origin: string, { bearer }: Account) {
  const post = async (path: string, body: object) => {
    const { headers, ...rest } = asJson(body);
    return JSON.parse((await call(origin, path, { ...rest, headers: { ...headers, ...bearer } })).body);
  };
  const { album } = await post('/api/albums', { name: 'Party' });
  const { collect_link } = await post('/api/collect-links', { name: 'Party', album: album.id, look_first: true });
  return { albumId: album.id as string, path: pathOf((collect_link as CollectLink).url) };
}

type Sending = { origin: string; path: string; cookie: string; file: SentFile; key: string; signal: AbortSignal };

/** @returns whether the server has confirmed the file */
async function asForm({ origin, path, cookie, file, key, signal }: Sending): Promise<boolean> {
  const { headers, payload } = await form([file]);
  const sent = { ...headers, cookie, 'upload-keys': key };
  const answer = await fetch(`${origin}${path}/upload`, { method: 'POST', headers: sent, body: payload, signal });
  return answer.status === 201;
}

async function asUpload({ origin, path, cookie, file, key, signal }: Sending): Promise<boolean> {
  const bytes = Buffer.from(file.bytes);
  const metadata = `filename ${base64(file.name)},upload_key ${base64(key)}`;
  const headers = { ...tusHeaders, cookie };
  const opened = await fetch(`${origin}${path}/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(bytes.length), 'upload-metadata': metadata },
    signal,
  });
  const at = opened.headers.get('location');
  if (opened.status !== 201 || at === null) return false;
  for (const [start, end] of [
    [0, 100],
    [100, bytes.length],
  ]) {
    const sent = { ...headers, 'upload-offset': String(start), 'content-type': 'application/offset+octet-stream' };
    const body = bytes.subarray(start, end);
    const answer = await fetch(new URL(at, origin), {
      method: 'PATCH',
      headers: { ...sent, prefer: 'return=representation' },
      body,
      signal,
    });
    if (end === bytes.length) return answer.ok && ((await answer.json()) as ResumableUpload).state === 'stored';
  }
  return false;
}

fault(
  'F22',
  `${guestCount} guests whose network breaks, on a server killed ${kills} times, add each file once`,
  async (t) => {
    const home = await createHome(t);
    let server: Living = await home.start();
    const owner = await newAccount(server.origin);
    const { albumId, path } = await linkOf(server.origin, owner);
    const sent = new Map<string, string>();
    let confirmed = 0;

    /** Sends a file again until the server has it. Some attempts are cut off. */
    async function deliver(cookie: string, file: SentFile): Promise<void> {
      const key = randomUUID();
      const send = randomInt(2) === 0 ? asForm : asUpload;
      for (let attempt = 0; ; attempt += 1) {
        const signal =
          attempt < 4 && randomInt(3) === 0 ? AbortSignal.timeout(randomInt(1, 60)) : AbortSignal.timeout(60_000);
        const isStored = await send({ origin: server.origin, path, cookie, file, key, signal }).catch(() => false);
        // Some answers are lost on the way.
        if (isStored && randomInt(3) > 0) break;
        await sleep(randomInt(50));
      }
      confirmed += 1;
    }

    async function guest(): Promise<void> {
      const entered = await call(server.origin, `${path}/guest`, asJson({}));
      const cookie = entered.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      for (const file of await pictures(filesEach)) {
        sent.set(file.name, sha256(Buffer.from(file.bytes)));
        await deliver(cookie, file);
      }
    }

    const guests = Promise.all(Array.from({ length: guestCount }, guest));
    for (let kill = 1; kill <= kills; kill += 1) {
      const enough = confirmed + (guestCount * filesEach - confirmed) / (kills - kill + 2);
      await eventually('some files are confirmed', () => confirmed >= enough);
      await server.kill();
      server = await home.start();
    }
    await guests;

    const listed = await listAll(server.origin, owner);
    t.same(listed.map(({ filename }) => filename).sort(), [...sent.keys()].sort(), 'each file is stored once');
    const ask = async <T>(path: string): Promise<T> =>
      JSON.parse((await call(server.origin, path, { headers: owner.bearer })).body) as T;
    const { total } = await ask<WaitingPage>('/api/collect-links/waiting');
    t.equal(total, sent.size, 'each waits for the owner');
    const { images } = await ask<{ images: object[] }>(`/api/albums/${albumId}`);
    t.same(images, [], 'none is in the album');
    const { collect_links } = await ask<{ collect_links: CollectLink[] }>('/api/collect-links');
    t.match(collect_links, [{ files: sent.size, waiting: sent.size }]);
    for (const { id, filename } of listed) {
      const original = await call(server.origin, `/api/images/${id}/original`, { headers: owner.bearer });
      t.equal(sha256(original.bytes), sent.get(filename), 'as it was sent');
    }
    await checkBytes(t, home);
    t.equal(await server.stop(), 0);
  },
);
