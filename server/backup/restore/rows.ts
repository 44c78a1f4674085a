/** Restores the rows of a snapshot in one transaction. */
import type postgres from 'postgres';
import { knownMigrations, migrateWithin } from '../../database/migrations/migrate-to.ts';
import { UNOWNED } from '../../database/process-registry.ts';
import type { Backend } from '../../storage/backend.ts';
import type { Archive } from '../archive/reader.ts';
import { BackupError } from '../backup-error.ts';
import type { Manifest, Table } from '../manifest.ts';
import { partLines } from '../part-lines.ts';
import { columnsOf, contentOf, imageTables, savedTables, schemaLevel } from '../queries.ts';
import { checkRows } from '../rows.ts';
import { checkDatabase } from './target.ts';

type RestoreRows = {
  archive: Archive;
  manifest: Manifest;
  process: bigint;
  /** Ids of the keys that seal the restored files. */
  sealedBy: string[];
  /** Contents whose originals the backup does not hold whole; their images are left out. */
  without: ReadonlySet<string>;
  /** The backend, if it may hold files that the snapshot's rows do not name. */
  target: Pick<Backend, 'everything'> | undefined;
};

/** @throws BackupError, one line, if this program cannot restore the snapshot */
export function checkLevel({ schema, time, program }: Manifest): void {
  if (knownMigrations().some(({ level }) => level === schema)) return;
  throw new BackupError(
    `The snapshot ${time} was made by version ${program}, which this one does not know: restore with it.`,
  );
}

/** @returns number of images left out */
export async function restoreRows(
  sql: postgres.Sql,
  { archive, manifest, process, sealedBy, without, target }: RestoreRows,
): Promise<number> {
  const newest = knownMigrations().at(-1)?.level ?? 0;
  let leftOut = 0;
  await sql.begin(async (tx) => {
    await tx`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`;
    await checkDatabase(tx, process);
    if ((await schemaLevel(tx)) !== manifest.schema) await rebuildTables(tx, manifest.schema);
    // Prevents rows from being added between the check and the commit.
    await tx`lock table users, images in access exclusive mode`;
    await checkDatabase(tx, process);
    for (const name of savedTables) {
      const table = manifest.tables.find((each) => each.name === name);
      if (table) leftOut += await insertTable(tx, archive, table, name === 'images' ? without : new Set());
    }
    await migrateWithin(tx, manifest.schema, newest);
    if (sealedBy.length > 0) await tx`update images set sealed = true, renditions_sealed = true`;
    await checkShared(tx);
    await checkAlbums(tx);
    await checkShares(tx);
    await checkCollected(tx);
    await checkStableLinks(tx);
    await tx`delete from installation`;
    await tx`insert into installation (id, sealed_by)
      select ${manifest.installation}::uuid, coalesce(array_agg(key), '{}') from jsonb_array_elements_text(${JSON.stringify(sealedBy)}::text::jsonb) as key`;
    if (target) await insertOrphaned(tx, target);
    await tx`update users set image_count = held.count, image_bytes = held.bytes from
      (select users.id, count(images.id) as count, coalesce(sum(images.size), 0) as bytes
        from users left join images on images.owner_id = users.id group by users.id) held
      where users.id = held.id`;
  });
  return leftOut;
}

/** Bytes are deleted with their owner's last image, so bytes shared across owners would be lost. */
async function checkShared(tx: postgres.TransactionSql): Promise<void> {
  const [wrong] = await tx`
    select 1 from images where coalesce(content_id, id) in (select content_id from images where content_id is not null)
    group by coalesce(content_id, id)
    having count(distinct owner_id) > 1 or count(distinct (sha256, size, extension)) > 1 limit 1`;
  if (wrong) throw new BackupError('The backup has images that name the same bytes, and are not the same.');
}

/** Anyone with an album's link sees its images, so an album must not contain another user's. */
async function checkAlbums(tx: postgres.TransactionSql): Promise<void> {
  const [wrong] = await tx`
    select 1 from album_images entry
    join albums on albums.id = entry.album_id join images on images.id = entry.image_id
    where albums.owner_id <> entry.owner_id or images.owner_id <> entry.owner_id limit 1`;
  if (wrong) throw new BackupError("The backup has an album with an image that is not its owner's.");
}

/** Visitors of a share see its images, so it must not contain another user's. */
async function checkShares(tx: postgres.TransactionSql): Promise<void> {
  const [wrong] = await tx`
    select 1 from shares left join albums on albums.id = shares.album_id
      left join share_images entry on entry.share_id = shares.id left join images on images.id = entry.image_id
    where albums.owner_id <> shares.owner_id or entry.owner_id <> shares.owner_id or images.owner_id <> shares.owner_id
    limit 1`;
  if (wrong) throw new BackupError("The backup has a share of an album or an image that is not its owner's.");
}

/** Guests add to the link's album and see their images, so neither may be another user's. */
async function checkCollected(tx: postgres.TransactionSql): Promise<void> {
  const [wrong] = await tx`
    select 1 from collect_links link join albums on albums.id = link.album_id
      left join collected_images entry on entry.link_id = link.id left join images on images.id = entry.image_id
      left join collect_guests guest on guest.id = entry.guest_id
    where albums.owner_id <> link.owner_id or entry.owner_id <> link.owner_id or images.owner_id <> link.owner_id
      or guest.link_id <> link.id
    limit 1`;
  if (wrong) throw new BackupError("The backup has a collect link with an album or an image that is not its owner's.");
}

async function checkStableLinks(tx: postgres.TransactionSql): Promise<void> {
  const [wrong] = await tx`
    select 1 from stable_links link join images on images.id = link.image_id
    where images.owner_id <> link.owner_id limit 1`;
  if (wrong) throw new BackupError("The backup has a stable link to an image that is not its owner's.");
}

/** In an order in which they can be dropped. */
const otherTables = [
  'collected_images',
  'collect_guests',
  'collect_links',
  'share_images',
  'shares',
  'held_names',
  'stable_links',
  'uploads',
  'api_tokens',
  'album_images',
  'albums',
  'ended_links',
  'orphaned_blobs',
  // Its name before migration 0020.
  'loose_bytes',
  'rendition_attempts',
  'leases',
  'installation',
  'rate_limits',
  'password_resets',
  'email_changes',
  'devices',
  'sessions',
  'identities',
  'passkeys',
  'totp_secrets',
  'recovery_codes',
  'challenges',
  'invites',
  'admin_claims',
  'audit_log',
  'admin_jobs',
  'image_counts',
];

/** Replaces empty tables of another version by those of the snapshot's version. */
async function rebuildTables(tx: postgres.TransactionSql, level: number): Promise<void> {
  await tx`drop schema if exists drizzle cascade`;
  for (const name of [...otherTables, 'images', 'users']) {
    await tx`drop table if exists ${tx(name)}`;
  }
  await migrateWithin(tx, 0, level);
}

/** Columns about background renditions, whose bytes are in no backup: they become due again. */
const backgroundColumns = new Set(['renditions_due', 'thumbnail_avif_sha256', 'screen_avif_sha256']);
/** Columns about sealing: the key given here decides whether files are sealed. */
const sealColumns = new Set(['sealed', 'renditions_sealed']);

/** @returns number of rows left out */
async function insertTable(
  tx: postgres.TransactionSql,
  archive: Archive,
  { name, columns, rows, parts }: Table,
  without: ReadonlySet<string>,
): Promise<number> {
  const known = await columnsOf(tx, name);
  const strange = columns.filter((column) => !known.includes(column));
  if (strange.length > 0) throw new BackupError(`The backup's table ${name} has columns unknown here: ${strange}.`);
  const restored = columns.filter((column) => !backgroundColumns.has(column) && !sealColumns.has(column));
  // An image deleted during the backup, or left out here, leaves its albums and shares.
  const lasting = imageTables.has(name) ? tx`where exists (select 1 from images where images.id = image_id)` : tx``;
  const values = restored.map((column) => {
    // A stable link keeps its name.
    if (name === 'stable_links' && column === 'image_id')
      return tx`(select images.id from images where images.id = saved.image_id)`;
    // No image waits in the open.
    if (name === 'images' && column === 'hidden_at' && restored.includes('waiting'))
      return tx`case when saved.waiting then coalesce(saved.hidden_at, now()) else saved.hidden_at end`;
    return tx`saved.${tx(column)}`;
  });
  const selected = values.reduce((list, value) => tx`${list}, ${value}`);
  let [seen, leftOut] = [0, 0];
  if (name === 'installation') await tx`delete from installation`;
  for (const part of parts) {
    const lines = await partLines(archive, part);
    checkRows(name, lines);
    const wanted = without.size === 0 ? lines : lines.filter((line) => !without.has(contentOf(JSON.parse(line)).id));
    const json = `[${wanted.join(',')}]`;
    await tx`insert into ${tx(name)} (${tx(restored)}) select ${selected}
      from jsonb_populate_recordset(null::${tx(name)}, ${json}::text::jsonb) saved ${lasting}`;
    seen += lines.length;
    leftOut += lines.length - wanted.length;
  }
  if (seen !== rows) throw new BackupError(`The backup has ${seen} rows of ${name}, its manifest says ${rows}.`);
  return leftOut;
}

/** Files looked up at once. */
const AT_ONCE = 1000;

/** Records files of an earlier attempt and of left-out images as orphaned blobs; the first server to start removes them. */
async function insertOrphaned(tx: postgres.TransactionSql, target: Pick<Backend, 'everything'>): Promise<void> {
  let some = new Map<string, string>();
  const insert = async () => {
    if (some.size === 0) return;
    const files = JSON.stringify([...some].map(([id, extension]) => ({ id, extension })));
    await tx`insert into orphaned_blobs (image_id, extension, process)
      select id, extension, ${String(UNOWNED)}::bigint
      from jsonb_to_recordset(${files}::text::jsonb) as file (id uuid, extension text)
      where not exists (select 1 from images where (content_id is null and images.id = file.id) or content_id = file.id)
      on conflict do nothing`;
    some = new Map();
  };
  // Originals first: their extension is part of the record.
  for await (const { key } of target.everything()) {
    const { id, extension } =
      /^\w+\/..\/(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(?<extension>[a-z0-9]{1,16})$/.exec(key)?.groups ??
      {};
    if (id === undefined || extension === undefined || some.has(id)) continue;
    some.set(id, extension);
    if (some.size === AT_ONCE) await insert();
  }
  await insert();
}
