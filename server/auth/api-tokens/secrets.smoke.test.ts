/** Secrets of API tokens and delete links, in everything that a whole server stores and writes. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openArchive } from '../../backup/archive/reader.ts';
import { partLines } from '../../backup/part-lines.ts';
import { temporaryFolder } from '../../testing/app.ts';
import { register, start } from '../../testing/collections/members.ts';
import { create, png, post } from '../../testing/collections/token-calls.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { admin, type Server, startServer } from '../../testing/processes.ts';

t.setTimeout(200_000);

type Headers = Record<string, string>;

const withDeleteLink = '/api/images/upload?delete_link=1';

async function storeByTus({ origin }: Server, headers: Headers): Promise<string> {
  const metadata = `filename ${Buffer.from('a.png').toString('base64')},delete_link ${Buffer.from('1').toString('base64')}`;
  const protocol = { 'tus-resumable': '1.0.0', ...headers };
  const opening = { ...protocol, 'upload-length': String(png.length), 'upload-metadata': metadata };
  const { headers: opened } = await fetch(`${origin}/api/uploads`, { method: 'POST', headers: opening });
  const part = { ...protocol, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  const answer = await fetch(origin + opened.get('location'), {
    method: 'PATCH',
    headers: { ...part, prefer: 'return=representation' },
    body: new Uint8Array(png),
  });
  return answer.text();
}

const keysIn = (text: string): string[] => [...text.matchAll(/\/d\/([\w-]{22})/g)].flatMap(([, key]) => key ?? []);

/** Base64 of a text that may start at any of three places of the encoded whole, without the characters that depend on its neighbours. */
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const inner = whole.slice(before + 1, -2);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** The forms in which a text could be somewhere: itself, what it encodes, and both encoded. */
function formsOf(secret: string): string[] {
  const random = secret.replace(/^enc_/, '').slice(0, 43);
  const raw = Buffer.from(random, 'base64url');
  const text = Buffer.from(random);
  const hex = [raw, text].map((bytes) => bytes.toString('hex'));
  return [
    random.slice(0, 16),
    random.slice(-16),
    raw.toString('latin1'),
    ...hex,
    ...hex.map((digits) => digits.replace(/../g, '%$&')),
    ...hex.map((digits) => digits.toUpperCase()),
    ...base64Of(raw),
    ...base64Of(text),
    text.toString('utf16le'),
    [...random].reverse().join(''),
  ];
}

async function dumpOf(url: string): Promise<string> {
  const tables = await query(
    url,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const rows = [];
  for (const { name } of tables)
    rows.push(...(await query(url, `select row_to_json(one)::text as row from ${name} one`)));
  return rows.map(({ row }) => row).join('\n');
}

async function backupOf(t: Test, env: { DATA_DIR: string; DATABASE_URL: string }): Promise<string> {
  const file = join(await temporaryFolder(t), 'backup.tar');
  const written = await admin(t, ['backup', file], env);
  t.equal(written.code, 0, written.stderr);
  const archive = await openArchive(file);
  const [snapshot] = archive.snapshots;
  if (!snapshot) throw new Error('the backup is empty');
  const manifest = await archive.readManifest(snapshot);
  const parts = [...manifest.tables, manifest.files].flatMap((table) => table.parts);
  const lines = (await Promise.all(parts.map((part) => partLines(archive, part)))).flat();
  await archive.close();
  return `${lines.join('\n')}\n${await readFile(file, 'latin1')}`;
}

async function filesIn(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const files = [];
  for (const name of names) {
    const path = join(folder, name);
    if ((await stat(path)).isFile()) files.push(name, await readFile(path, 'latin1'));
  }
  return files.join('\n');
}

t.test('a dump, a backup, the data folder and the log contain no secret, in no encoding', async (t) => {
  const { env } = await start(t);
  const server = await startServer(t, { ...env, LOG_LEVEL: 'trace' });
  const account = await register(server);
  const made = [
    await create(server, account),
    await create(server, account, { profile: 'curl' }),
    await create(server, account),
  ];
  const secrets = made.map(({ secret }) => secret);
  const [secret = '', other = '', ended = ''] = secrets;
  const bearer = { authorization: `Bearer ${secret}` };

  // Uploads and delete links of all kinds.
  const answers = [
    (await post(server, withDeleteLink, bearer, 'images')).text,
    await storeByTus(server, { 'x-api-key': other }),
    (await post(server, '/api/1/upload', { 'x-api-key': secret }, 'source')).text,
  ];
  t.equal((await post(server, '/api/upload', { authorization: other }, 'file')).status, 200);
  const deleteKeys = answers.flatMap(keysIn);
  t.equal(new Set(deleteKeys).size, 3, answers.join('\n'));
  const [deleted = '', ...kept] = deleteKeys;
  for (const key of kept) await fetch(`${server.origin}/d/${key}`);
  for (const method of ['POST', 'DELETE']) await fetch(`${server.origin}/d/${deleted}`, { method });

  // Ended and wrong secrets, and right ones at wrong places.
  await fetch(`${server.origin}/api/account/tokens/${made[2]?.id}`, { method: 'DELETE', headers: account.bearer });
  for (const wrong of [ended, `${secret}x`, secret.slice(0, -1), secret.replace('enc_', '')]) {
    const sent: Headers[] = [{ authorization: `Bearer ${wrong}` }, { authorization: wrong }, { 'x-api-key': wrong }];
    for (const headers of sent) {
      t.equal((await fetch(`${server.origin}/api/images`, { headers })).status, 401);
      await post(server, '/api/1/upload', headers, 'source');
    }
  }
  for (const each of [secret, encodeURIComponent(secret), ...kept]) {
    for (const path of [
      `/api/1/upload?key=${each}`,
      `/api/upload/${each}`,
      `/api/images?key=${each}`,
      `/d/${each}x`,
      `/${each}`,
    ]) {
      await fetch(server.origin + path, { headers: { ...bearer, referer: server.origin + path } });
      await post(server, path, bearer, 'images');
    }
  }
  const text = JSON.stringify({ key: secret });
  const headers = { ...bearer, 'content-type': 'application/json', 'user-agent': 'a-known-program/1.0' };
  await fetch(`${server.origin}/api/images/upload`, { method: 'POST', headers, body: text });
  await fetch(`${server.origin}/api/auth/login`, { method: 'POST', headers, body: text });

  const backup = await backupOf(t, env);
  t.equal(await server.stop(), 0);
  const places = {
    'the dump': await dumpOf(env.DATABASE_URL),
    'the backup': backup,
    'the data folder': await filesIn(env.DATA_DIR),
    'the log': server.stdout() + server.stderr(),
  };
  t.ok(places['the dump'].includes(createHash('sha256').update(secret).digest('hex')), 'the dump has the hashes');
  t.ok(places['the backup'].includes(account.id), 'the lines of the backup are readable');
  t.ok(places['the data folder'].includes(png.toString('latin1')), 'the data folder has the pictures');
  t.ok(places['the log'].includes('/api/1/upload'), 'the log has the calls');
  for (const [place, found] of Object.entries(places)) {
    for (const each of [...secrets, ...deleteKeys]) {
      const forms = formsOf(each).filter((one) => found.includes(one));
      t.same(forms, [], `${place}: ${each.slice(0, 8)}…`);
    }
  }
});

t.test('every form that the test looks for is one that a secret can have', async (t) => {
  const secret = `enc_${'Zk3v0c1mQ5u8x2b7Yt9wEg-_'.repeat(2).slice(0, 43)}abcdef`;
  const random = secret.slice(4, 47);
  const encoded = [
    secret,
    Buffer.from(`a row with ${secret} in it`).toString('base64'),
    Buffer.from(`row with ${secret} in it`).toString('base64url'),
    Buffer.from(`the ${secret}`).toString('hex'),
    Buffer.from(random, 'base64url').toString('hex'),
    Buffer.from(random, 'base64url').toString('base64'),
  ];
  for (const text of encoded)
    t.ok(
      formsOf(secret).some((one) => text.includes(one)),
      text,
    );
});
