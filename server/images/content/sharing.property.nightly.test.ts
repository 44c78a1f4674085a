/**
 * Concurrent uploads, deletions and account deletions with failures of disk and database. After a sweep every image has
 * its bytes, and nothing else is on the disk.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { ImageRow } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { UNOWNED } from '../../database/process-registry.ts';
import { everythingOf } from '../../database/statements/access.ts';
import { decodeLimits } from '../../decoder/core/limits.ts';
import { createDecoderPool } from '../../decoder/pool/pool.ts';
import { StorageUnavailable } from '../../errors.ts';
import { createDeduplication, type Sender } from '../../ingest/deduplication.ts';
import { createIngest } from '../../ingest/ingest.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../../testing/app.ts';
import { countsHold } from '../../testing/collections/collection.ts';
import { firstKeys, storedFiles } from '../../testing/disk.ts';
import { picture } from '../../testing/pictures.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { query } from '../../testing/postgres/embedded.ts';
import { createChecksumCache } from '../checksum-cache.ts';
import { createDeletion } from '../deletion/deletion.ts';
import { deleteImagesOf } from '../deletion/queries.ts';
import { contentIdOf, originalKey } from '../keys.ts';
import { createOrphanedBlobs } from '../orphaned-blobs/orphaned-blobs.ts';
import { createOrphanQueries } from '../orphaned-blobs/queries.ts';

t.setTimeout(600_000);

const fault = fc.constantFrom('none', 'none', 'none', 'write', 'remove', 'refused', 'lost before', 'lost after');
type Fault = typeof fault extends fc.Arbitrary<infer T> ? T : never;
const account = fc.nat(1);

/** `which` chooses among the promised images or the existing rows. */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('upload'),
      account,
      files: fc.array(fc.nat(2), { minLength: 1, maxLength: 4 }),
      fault,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete'), account, which: fc.nat(50), fault }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end'), account }) },
);
const spoil = fc.record({ kind: fc.constant('spoil'), which: fc.nat(50), how: fc.constantFrom('lose', 'damage') });
/** Steps of one round run concurrently. */
const rounds = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.array(step, { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.tuple(spoil) },
  ),
  { minLength: 1, maxLength: 8 },
);
type Step = { kind: string; account?: number; files?: number[]; which?: number; how?: string; fault?: Fault };

/** Decodes each picture once, because there are hundreds of uploads of three pictures. */
function createRecallingDecoder(t: Test) {
  const pool = createDecoderPool({ limits: decodeLimits(1_000_000) });
  t.teardown(() => pool.close());
  const outcomes = new Map<string, ReturnType<typeof pool.decode>>();
  return {
    async decode(path: string) {
      const sum = sha256Of(await readFile(path));
      const outcome = outcomes.get(sum) ?? pool.decode(path);
      outcomes.set(sum, outcome);
      return outcome;
    },
  };
}

async function openScene(t: Test) {
  const { url } = await createTestDatabase(t);
  const dataDir = await temporaryFolder(t);
  const app = await buildTestApp(t, { databaseUrl: url, dataDir });
  const pictures = await Promise.all(['#3a7', '#73a', '#a37'].map((colour) => picture({ colour })));
  const owners = (await Promise.all([signIn(app), signIn(app)])).map(({ id }) => id);
  const { db, storage } = app;
  const { number: process, isAlive } = app.database.processRegistry;
  const orphanedBlobsOn = (disk: typeof storage) =>
    createOrphanedBlobs({
      storage: disk,
      queries: createOrphanQueries(db, process),
      isAlive,
      log: { warn: () => {}, error: () => {} },
    });
  return {
    ...{ url, dataDir, db, storage, process, pictures, owners },
    deduplication: createDeduplication({
      db,
      decoder: createRecallingDecoder(t),
      checksums: createChecksumCache(storage),
      inPart: (_client, work) => work(),
    }),
    orphanedBlobsOn,
    orphanedBlobs: orphanedBlobsOn(storage),
  };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

/** A database whose transactions fail before their first statement, before the commit or after it. */
const databaseWith = (db: Database, fault: Fault): Database => {
  const transaction: typeof db.transaction = async (work, config) => {
    if (fault === 'refused') throw new Error('refused');
    const done = await db.transaction(async (tx) => {
      const result = await work(tx);
      if (fault === 'lost before') throw new Error('lost before the commit');
      return result;
    }, config);
    if (fault === 'lost after') throw new Error('lost after the commit');
    return done;
  };
  return Object.create(db, { transaction: { value: transaction } });
};
const failing = async () => {
  throw new StorageUnavailable();
};

function partsWith({ db, storage, process, deduplication, orphanedBlobs, orphanedBlobsOn }: Scene, fault: Fault) {
  const disk = {
    ...storage,
    ...(fault === 'write' && { commit: failing }),
    ...(fault === 'remove' && { remove: failing }),
  };
  const faulty = orphanedBlobsOn(disk);
  // Released bytes wait for the test's own sweep.
  const orphaned = {
    ...faulty,
    release: orphanedBlobs.release,
    remove: (some: { id: string; extension: string }[]) => faulty.remove(some).then(() => orphanedBlobs.release(some)),
  };
  const common = { db: databaseWith(db, fault), process, orphanedBlobs: orphaned };
  const quota = { images: undefined, bytes: undefined };
  const ingest = createIngest({ ...common, quota, storage: disk, deduplication });
  const deletion = createDeletion({
    ...common,
    forget: () => undefined,
    forgetAll: () => undefined,
  });
  return { ingest, deletion };
}

/** What the server has answered so far, and what happened to its files. */
function createAnswers() {
  return {
    /** Owners of the images that were answered as stored, by id. */
    promised: new Map<string, string>(),
    gone: new Set<string>(),
    /** Images that named a content when it was damaged; no other image may name it. */
    spoilt: new Map<string, Set<string>>(),
  };
}

type Answers = ReturnType<typeof createAnswers>;

const allRowsOf = async (db: Database): Promise<ImageRow[]> => db.query.images.findMany();

/** @returns a function that takes one step */
function createSteps(t: Test, scene: Scene, { promised, gone, spoilt }: Answers) {
  const { db, dataDir, pictures, owners } = scene;

  async function upload(ownerId: string, files: number[], fault: Fault): Promise<void> {
    const { ingest } = partsWith(scene, fault);
    const client = { account: ownerId, address: '192.0.2.1' };
    const sender: Sender = { ownerId, client, gone: new AbortController().signal, outcomes: new Map() };
    const staged = await Promise.all(files.map((file) => ingest.receive(Readable.from([pictures[file]]))));
    try {
      const accepted = await Promise.all(staged.map((each, at) => ingest.inspect(each, `${at}.png`, sender)));
      const { stored } = await ingest.keepAll(sender, accepted);
      t.equal(stored.length, files.length);
      for (const { id } of stored) promised.set(id, ownerId);
    } catch (error) {
      if (fault === 'none') throw error;
    } finally {
      await Promise.all(staged.map((each) => ingest.discard(each)));
    }
  }

  async function remove(ownerId: string, which: number, fault: Fault): Promise<void> {
    const mine = [...promised].filter(([, owner]) => owner === ownerId).map(([id]) => id);
    const id = mine[which % mine.length];
    if (id === undefined) return;
    // No longer promised, and gone once the deletion is answered.
    promised.delete(id);
    try {
      if (await partsWith(scene, fault).deletion(everythingOf(ownerId), id)) gone.add(id);
    } catch (error) {
      if (fault === 'none') throw error;
    }
  }

  async function spoilOne(which: number, how: string): Promise<void> {
    const rows = await allRowsOf(db);
    const row = rows[which % rows.length];
    if (!row) return;
    const content = contentIdOf(row);
    spoilt.set(content, new Set(rows.filter((each) => contentIdOf(each) === content).map(({ id }) => id)));
    const path = join(dataDir, 'files', originalKey(row));
    await (how === 'lose' ? rm(path, { force: true }) : writeFile(path, 'damaged'));
  }

  return ({ kind, account = 0, files = [], which = 0, how = '', fault = 'none' }: Step): Promise<void> => {
    const ownerId = `${owners[account]}`;
    if (kind === 'upload') return upload(ownerId, files, fault);
    if (kind === 'delete') return remove(ownerId, which, fault);
    return kind === 'end' ? endAccount(db, ownerId, promised) : spoilOne(which, how);
  };
}

async function endAccount(db: Database, ownerId: string, promised: Answers['promised']): Promise<void> {
  const before = [...promised].filter(([, owner]) => owner === ownerId);
  await deleteImagesOf(db, ownerId, UNOWNED);
  for (const [id] of before) promised.delete(id);
}

async function check(t: Test, { url, db, dataDir, orphanedBlobs, pictures }: Scene, answers: Answers): Promise<void> {
  await orphanedBlobs.sweep();
  const rows = await allRowsOf(db);
  const ids = new Set(rows.map(({ id }) => id));
  t.same(
    [...answers.promised.keys()].filter((id) => !ids.has(id)),
    [],
    'all promised images exist',
  );
  t.same(
    [...answers.gone].filter((id) => ids.has(id)),
    [],
    'deleted images do not exist',
  );
  const sums = pictures.map(sha256Of);
  const wanted = new Set(rows.flatMap(firstKeys));
  const files = await storedFiles(dataDir);
  t.same(
    files.filter((file) => !wanted.has(file)),
    [],
    'nothing else is on the disk',
  );
  for (const row of rows) {
    const before = answers.spoilt.get(contentIdOf(row));
    if (before) {
      t.ok(before.has(row.id), 'no new image has damaged bytes');
      continue;
    }
    const bytes = await readFile(join(dataDir, 'files', originalKey(row)));
    t.equal(sha256Of(bytes), row.sha256);
    t.ok(sums.includes(row.sha256));
  }
  const contents = new Map(rows.map((row) => [contentIdOf(row), `${row.ownerId} ${row.sha256}`]));
  t.equal(new Set(contents.values()).size, contents.size, 'each owner has each picture’s bytes once');
  t.same(await query(url, 'select * from orphaned_blobs'), []);
  t.ok(await countsHold(url));
}

t.test('every row has its bytes and all bytes have a row after any failures', async (t) => {
  const scene = await openScene(t);
  const answers = createAnswers();
  const take = createSteps(t, scene, answers);
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      for (const round of all) {
        const ends = round.some(({ kind }) => kind === 'end');
        await Promise.all((round as Step[]).map(take));
        // The order of an upload and a concurrent account deletion is unknown.
        if (ends) answers.promised.clear();
      }
      await check(t, scene, answers);
      for (const ownerId of scene.owners) await endAccount(scene.db, ownerId, answers.promised);
      await scene.orphanedBlobs.sweep();
      t.same(await storedFiles(scene.dataDir), []);
      answers.spoilt.clear();
      return t.passing();
    }),
    { numRuns: 40, interruptAfterTimeLimit: 120_000 },
  );
});
