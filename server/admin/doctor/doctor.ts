/** Looks through everything that is stored, and mends what can be mended without losing anything. */
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/connect.ts';
import type { Isolation } from '../../decoder/isolation.ts';
import { type Progress, silent } from '../../lib/progress.ts';
import type { Backend } from '../../storage/backend.ts';
import type { RetryPolicy } from '../../storage/retry-policy.ts';
import { mendCounts, wrongCounts } from './counts.ts';
import { checkClock, checkIsolation, checkSettings, checkSpace } from './environment.ts';
import { checkImages, type ImageParts } from './images.ts';
import type { Issue, Kind } from './issues.ts';
import { textOf } from './issues.ts';
import { checkOrphanedFiles } from './orphaned-files.ts';
import { installationId, mendSums, wrongSums } from './queries.ts';
import { checkRole } from './role.ts';
import { checkStaleStagingFiles, type StaleParts } from './stale-staging-files.ts';

export type DoctorParts = ImageParts &
  StaleParts & {
    db: Database;
    config: Config;
    /** Where the storage's bytes stand: a folder, a bucket, or both while they move. */
    places: readonly Backend[];
    /** Tries how decoders can be isolated here. */
    isolation: () => Promise<Isolation>;
  };

export type DoctorOptions = RetryPolicy & {
  /** Originals and renditions are not read, only their presence and sizes looked at. */
  quick?: boolean;
  repair?: boolean;
  /** Told each finding, once it is mended or not. */
  report: (issue: Issue) => void;
  progress?: Progress;
};

export type Diagnosis = {
  images: number;
  files: number;
  found: Partial<Record<Kind, { found: number; repaired: number }>>;
  /** At which level decoders are isolated on this machine; not known where nothing else was looked at either. */
  isolation?: string;
  /** Whether nothing is left to do; hints do not count. */
  healthy: boolean;
};

export async function examine(parts: DoctorParts, options: DoctorOptions): Promise<Diagnosis> {
  const { db, root, config, places } = parts;
  const { quick = false, repair = false, progress = silent, signal, pauses } = options;
  const diagnosis: Diagnosis = { images: 0, files: 0, found: {}, healthy: true };
  const report = (issue: Issue) => {
    const sum = diagnosis.found[issue.kind] ?? { found: 0, repaired: 0 };
    diagnosis.found[issue.kind] = sum;
    sum.found += 1;
    if (issue.repaired) sum.repaired += 1;
    else if (!textOf(issue.kind).hint) diagnosis.healthy = false;
    options.report(issue);
  };

  const isOurs = async ({ marked }: Backend) => {
    const id = await installationId(db);
    return id !== undefined && (await marked.read()) === id;
  };
  for (const place of places) {
    if (await isOurs(place)) continue;
    report({ kind: 'storage foreign', subject: place.marked.words.place, repaired: false });
    return diagnosis;
  }
  await checkSettings(config, report);
  diagnosis.isolation = await checkIsolation(await parts.isolation(), report);
  await checkClock(db, report);
  await checkRole(db, report);
  await checkSpace(root, report);
  await checkStaleStagingFiles(parts, { repair, report });
  await checkSums(db, { repair, report });
  diagnosis.images = await checkImages(parts, { quick, repair, progress, report, patience: { signal, pauses } });
  for (const place of places) {
    if ((await place.restoring.read()) !== undefined && diagnosis.images === 0) {
      report({ kind: 'restore unfinished', subject: place.marked.words.place, repaired: false });
    } else {
      const orphanedFiles = { db, place, isOurs: () => isOurs(place) };
      diagnosis.files += await checkOrphanedFiles(orphanedFiles, { repair, report, signal });
    }
  }
  return diagnosis;
}

async function checkSums(db: Database, { repair, report }: { repair: boolean; report: (issue: Issue) => void }) {
  const sums = await wrongSums(db);
  if (repair) for (const { id } of sums) await mendSums(db, id);
  const stillSums = new Set((repair ? await wrongSums(db) : sums).map(({ id }) => id));
  for (const { id, said, held } of sums) {
    const detail = `said ${said.count} images of ${said.bytes} bytes, holds ${held.count} of ${held.bytes}`;
    report({ kind: 'account sums', subject: id, detail, repaired: !stillSums.has(id) });
  }
  const counts = await wrongCounts(db);
  if (repair) for (const { id } of counts) await mendCounts(db, id);
  const stillCounts = new Set((repair ? await wrongCounts(db) : counts).map(({ id }) => id));
  for (const { id, places } of counts) {
    const detail = `in ${places} ${places === 1 ? 'place' : 'places'}`;
    report({ kind: 'page counts', subject: id, detail, repaired: !stillCounts.has(id) });
  }
}
