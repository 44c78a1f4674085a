/** Collections that move between a disk and the bucket of a real S3 server. */
import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import type { SourceAndTarget } from '../../admin/migrate-storage/migrate-object.ts';
import { type CopyOptions, copyAll, type Failure } from '../../admin/migrate-storage/migrate-storage.ts';
import { openSourceAndTarget } from '../../admin/migrate-storage/source-and-target.ts';
import type { Config } from '../../config/config.ts';
import { parseDatabaseUrl } from '../../database/address.ts';
import { connect } from '../../database/connect.ts';
import { signIn } from '../account.ts';
import { buildTestApp, temporaryFolder } from '../app.ts';
import { storedFiles } from '../disk.ts';
import { storeFiles } from '../form.ts';
import { noise } from '../pictures.ts';
import { createTestDatabase } from '../postgres/database.ts';
import { createTestBucket, s3Config, storedObjects } from '../s3.ts';

export type Image = Awaited<ReturnType<typeof storeFiles>>[number];
type Around = (sides: SourceAndTarget) => Partial<SourceAndTarget>;

export const toBucket = { from: 'disk', to: 's3' } as const;
export const pathOf = (url: string | null | undefined) => new URL(`${url}`).pathname;
export const isCollected = (key: string) => /^(originals|thumbnails|screens)\//.test(key);

/** A database, a disk, an empty bucket, and servers with any storage on them. */
export async function surroundings(t: Test, extra: Partial<Config> = {}) {
  const { url } = await createTestDatabase(t);
  const dataDir = await temporaryFolder(t);
  const { bucket, cable } = await createTestBucket(t);
  const configOf = (more: Partial<Config> = {}) =>
    s3Config(t, bucket, { databaseUrl: url, dataDir, ...extra, ...more });
  const server = async (more: Partial<Config> = {}) => buildTestApp(t, await configOf(more));
  const { db, close } = connect(parseDatabaseUrl(url));
  t.teardown(close);
  /** @param around replaces parts of the source or the target */
  async function copy(
    kinds: Parameters<typeof openSourceAndTarget>[1] = toBucket,
    around: Around = () => ({}),
    options = {},
    more: Partial<Config> = {},
  ) {
    const config = await configOf(more);
    const sides = await openSourceAndTarget({ config, db, process: 77n, log: { warn: () => {} } }, kinds);
    const failures: Failure[] = [];
    const defaults: CopyOptions = { report: (failure) => failures.push(failure), pauses: [1, 1] };
    try {
      return { ...(await copyAll({ ...sides, db, ...around(sides) }, { ...defaults, ...options })), failures };
    } finally {
      await sides.close();
    }
  }
  const onDisk = async () => (await storedFiles(dataDir)).filter(isCollected);
  const inBucket = async () => (await storedObjects(bucket)).sort();
  return { url, dataDir, bucket, cable, configOf, server, copy, onDisk, inBucket };
}

/** TIFF, so that each has a screen rendition. */
export async function pictures(count: number) {
  const one = async (_: unknown, index: number) => ({
    name: `${index}.tiff`,
    bytes: await noise(90 + index, 70, 'tiff'),
  });
  return Promise.all(Array.from({ length: count }, one));
}

/** A collection that a server on the disk has stored. */
export async function collection(t: Test, count: number, extra: Partial<Config> = {}) {
  const around = await surroundings(t, extra);
  const app = await around.server({ storage: 'disk' });
  const account = await signIn(app);
  const files = await pictures(count);
  const images = await storeFiles(app, account, files);
  await app.close();
  return { ...around, account, files, images };
}

export async function serves(app: FastifyInstance, images: Image[], files: { bytes: Buffer }[]): Promise<boolean> {
  for (const [index, image] of images.entries()) {
    const original = await app.inject(pathOf(image.url));
    if (!files[index]?.bytes.equals(original.rawPayload)) return false;
    if ((await app.inject(pathOf(image.thumbnail_url))).statusCode !== 200) return false;
  }
  return true;
}
