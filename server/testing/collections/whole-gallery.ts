/** Galleries as server processes, for commands that run at the same time. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { sha256Of } from '../../lib/sha256.ts';
import { storedFiles } from '../disk.ts';
import { noise } from '../pictures.ts';
import { createTestDatabase } from '../postgres/database.ts';
import { temporaryFolder } from '../postgres/embedded.ts';
import type { Server } from '../processes.ts';

export type GalleryEnvironment = { DATA_DIR: string; DATABASE_URL?: string };
export type Kind = 'the embedded database' | 'DATABASE_URL';

export async function newEnvironment(t: Test, kind: Kind): Promise<GalleryEnvironment> {
  // The folder does not exist yet: the first process must create it.
  const DATA_DIR = join(temporaryFolder(t), 'data');
  return kind === 'DATABASE_URL' ? { DATA_DIR, DATABASE_URL: (await createTestDatabase(t)).url } : { DATA_DIR };
}

export async function account({ origin }: Server): Promise<Record<string, string>> {
  const user = { username: 'ann', email: 'ann@example.com', password: 'a long enough password' };
  const post = (path: string) =>
    fetch(`${origin}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(user),
    });
  await post('register');
  const { access_token: token } = (await (await post('login')).json()) as { access_token: string };
  return { authorization: `Bearer ${token}` };
}

type Uploaded = { id: string; sha256: string };

export async function upload(
  { origin }: Server,
  headers: Record<string, string>,
  count: number,
  side = 40,
): Promise<Uploaded[]> {
  const form = new FormData();
  const hashes: string[] = [];
  for (let number = 0; number < count; number++) {
    const bytes = await noise(side, side, 'png');
    hashes.push(sha256Of(bytes));
    form.append('images', new Blob([bytes]), `${number}.png`);
  }
  const answer = await fetch(`${origin}/api/images/upload`, { method: 'POST', headers, body: form });
  if (answer.status !== 201) throw new Error(`upload: ${answer.status} ${await answer.text()}`);
  const { images } = (await answer.json()) as { images: { id: string }[] };
  return images.map(({ id }, number) => ({ id, sha256: `${hashes[number]}` }));
}

/** SHA-256 of every original, by image id. */
export async function originals({ DATA_DIR }: GalleryEnvironment): Promise<Map<string, string>> {
  const keys = (await storedFiles(DATA_DIR)).filter((key) => key.startsWith('originals/'));
  const hashed = keys.map(
    async (key) => [key.slice(13, 49), sha256Of(await readFile(join(DATA_DIR, 'files', key)))] as const,
  );
  return new Map(await Promise.all(hashed));
}
