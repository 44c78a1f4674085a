/** Galleries with planted faults for the doctor. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { createRebuilder } from '../../admin/commands/rebuilder.ts';
import { type Diagnosis, type DoctorOptions, examine } from '../../admin/doctor/doctor.ts';
import type { Issue, Kind } from '../../admin/doctor/issues.ts';
import { withoutCage } from '../../decoder/pool/choose-isolation.ts';
import { originalKey, thumbnailKey } from '../../images/keys.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { diskBackend } from '../../storage/disk/backend.ts';
import { sharedDecoder, testConfig } from '../app.ts';
import type { Gallery } from '../collections/backup.ts';
import { storedFiles } from '../disk.ts';
import { storeFiles } from '../form.ts';
import { noise } from '../pictures.ts';

export const longAgo = new Date(Date.now() - 2 * 3_600_000);

export async function upload({ app, account }: Gallery, count: number) {
  const files = Array.from({ length: count }, async (_, number) => ({
    name: `${number}.png`,
    bytes: await noise(30 + number, 24, 'png'),
  }));
  const images = await storeFiles(app, account, await Promise.all(files));
  return images.map(({ id }) => ({ id, extension: 'png' }));
}

type Examined = Diagnosis & { issues: Issue[] };

export function doctorOf(t: Test, { app, url, dataDir }: Gallery, sweep = app.sweeps.run) {
  const root = join(dataDir, 'files');
  return async (options: Partial<DoctorOptions> = {}): Promise<Examined> => {
    const config = await testConfig(t, { databaseUrl: url, dataDir, rateLimit: 'on' });
    const { isAlive, number } = app.database.processRegistry;
    const rebuilder = createRebuilder(app.db, app.storage, config, number, () => sharedDecoder);
    const issues: Issue[] = [];
    try {
      const parts = {
        db: app.db,
        storage: app.storage,
        root,
        backends: [diskBackend(root)],
        config,
        process: number,
        isAlive,
        sweep,
        rebuild: rebuilder.rebuild,
        isolation: async () => withoutCage,
      };
      const diagnosis = await examine(parts, { report: (issue) => issues.push(issue), ...options });
      return { ...diagnosis, issues: issues.filter(({ kind }) => !/^(setting|space|decoders)/.test(kind)) };
    } finally {
      await rebuilder.close();
    }
  };
}

/** Flips one bit and keeps the file's times. */
export async function flip(path: string): Promise<void> {
  const [bytes, { atime, mtime }] = await Promise.all([readFile(path), stat(path)]);
  bytes.writeUInt8(bytes.readUInt8(40) ^ 4, 40);
  await writeFile(path, bytes);
  await utimes(path, atime, mtime);
}

export async function plant(root: string, key: string, modified = longAgo): Promise<string> {
  await mkdir(dirname(join(root, key)), { recursive: true });
  await writeFile(join(root, key), 'stray');
  await utimes(join(root, key), modified, modified);
  return key;
}

/** Makes all live files look a year old. */
export async function age(root: string, keys: string[]): Promise<void> {
  for (const key of keys) await utimes(join(root, key), longAgo, longAgo).catch(() => undefined);
}

export const orphanedKeys = () => {
  const id = randomUUID();
  return [
    `originals/${id.slice(-2)}/${id}.png`,
    `thumbnails/${id.slice(-2)}/${id}.webp`,
    `screens/ab/${id}.webp`,
    `originals/notes ${id}.txt`,
    `${id}.mark`,
  ];
};

export const pairs = (issues: Issue[]) => issues.map(({ kind, subject }) => `${kind} ${subject}`).sort();

export async function hashes(root: string, keys: string[]): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(keys.map(async (key) => [key, sha256Of(await readFile(join(root, key)))])),
  );
}

type Planted = {
  /** Kind and key of all fifty faults, sorted. */
  expected: string[];
  /** Keys of all files that were not removed. */
  live: string[];
  /** Live keys that a repair may rewrite. */
  damaged: string[];
};

/** 10 flipped and 8 lost originals, 7 flipped and 5 lost thumbnails, and 20 orphaned files. */
export async function plantFifty(gallery: Gallery): Promise<Planted> {
  const root = join(gallery.dataDir, 'files');
  const images = await upload(gallery, 34);
  const expected: string[] = [];
  const expect = (kind: Kind, key: string) => expected.push(`${kind} ${key}`);
  for (const image of images.slice(0, 10)) {
    await flip(join(root, originalKey(image)));
    expect('original damaged', originalKey(image));
  }
  for (const image of images.slice(10, 18)) {
    await rm(join(root, originalKey(image)));
    expect('original missing', originalKey(image));
  }
  for (const image of images.slice(18, 25)) {
    await flip(join(root, thumbnailKey(image)));
    expect('rendition damaged', thumbnailKey(image));
  }
  for (const image of images.slice(25, 30)) {
    await rm(join(root, thumbnailKey(image)));
    expect('rendition missing', thumbnailKey(image));
  }
  const live = (await storedFiles(gallery.dataDir)).filter((key) => /^(originals|thumbnails|screens)/.test(key));
  await age(root, live);
  for (const key of [1, 2, 3, 4].flatMap(orphanedKeys)) expect('stray file', await plant(root, key));
  return { expected: expected.sort(), live, damaged: images.slice(18, 25).map(thumbnailKey) };
}
