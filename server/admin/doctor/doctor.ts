/** Checks everything that is stored, and repairs what can be repaired without losing data. */
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/connect.ts';
import type { Isolation } from '../../decoder/isolation.ts';
import { countOverdue } from '../../images/expiry/queries.ts';
import { type Progress, silent } from '../../lib/progress.ts';
import type { Backend } from '../../storage/backend.ts';
import type { RetryPolicy } from '../../storage/retry-policy.ts';
import { checkAuthenticatorApps } from './authenticator-apps.ts';
import { repairCounts, wrongCounts } from './counts.ts';
import { checkClock, checkDecoders, checkSettings, checkSpace } from './environment.ts';
import { checkImages, type ImageParts } from './images.ts';
import type { Issue, Kind, Report } from './issues.ts';
import { textOf } from './issues.ts';
import { checkOrphanedFiles } from './orphaned-files.ts';
import {
  collectLinksOfOthers,
  deleteCollectLink,
  deleteShare,
  emptyStableLink,
  endToken,
  installationId,
  repairSums,
  sharesOfOthers,
  stableLinksOfOtherImages,
  tokensOfOtherAlbums,
  wrongSums,
} from './queries.ts';
import { checkRole } from './role.ts';
import { checkStaleStagingFiles, type StaleParts } from './stale-staging-files.ts';

type DoctorParts = ImageParts &
  StaleParts & {
    db: Database;
    config: Config;
    /** Backends of the storage: two while a collection moves. */
    backends: readonly Backend[];
    isolation: () => Promise<Isolation>;
  };

export type DoctorOptions = RetryPolicy & {
  /** Checks only existence and size of originals and renditions. */
  quick?: boolean;
  repair?: boolean;
  /** Receives each issue, after a repair if there is one. */
  report: (issue: Issue) => void;
  progress?: Progress;
};

export type Diagnosis = {
  images: number;
  files: number;
  found: Partial<Record<Kind, { found: number; repaired: number }>>;
  /** Isolation level of decoders on this machine; undefined if none works, or if only the storage was checked. */
  isolation?: string;
  /** No issue is left; hints do not count. */
  healthy: boolean;
};

export async function examine(parts: DoctorParts, options: DoctorOptions): Promise<Diagnosis> {
  const { db, root, config, backends } = parts;
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

  const isOwned = async ({ marker }: Backend) => {
    const id = await installationId(db);
    return id !== undefined && (await marker.read()) === id;
  };
  for (const backend of backends) {
    if (await isOwned(backend)) continue;
    report({ kind: 'storage foreign', subject: backend.marker.texts.location, repaired: false });
    return diagnosis;
  }
  await checkSettings(config, report);
  const isolation = await checkDecoders(parts.isolation, report);
  if (isolation) diagnosis.isolation = isolation;
  await checkClock(db, report);
  await checkRole(db, report);
  await checkSpace(root, report);
  await checkStaleStagingFiles(parts, { repair, report });
  await checkSums(db, { repair, report });
  await checkAuthenticatorApps(db, config, report);
  await checkTokens(db, { repair, report });
  await checkShares(db, { repair, report });
  await checkStableLinks(db, { repair, report });
  await checkExpired(db, report);
  diagnosis.images = await checkImages(parts, { quick, repair, progress, report, retries: { signal, pauses } });
  for (const backend of backends) {
    if ((await backend.restoring.read()) !== undefined && diagnosis.images === 0) {
      report({ kind: 'restore unfinished', subject: backend.marker.texts.location, repaired: false });
    } else {
      const orphanedFiles = { db, backend, isOwned: () => isOwned(backend) };
      diagnosis.files += await checkOrphanedFiles(orphanedFiles, { repair, report, signal });
    }
  }
  return diagnosis;
}

type Repairing = { repair: boolean; report: (issue: Issue) => void };

async function checkTokens(db: Database, { repair, report }: Repairing) {
  for (const id of await tokensOfOtherAlbums(db)) {
    if (repair) await endToken(db, id);
    report({ kind: 'token album', subject: id, repaired: repair });
  }
}

async function checkShares(db: Database, { repair, report }: Repairing) {
  for (const id of await sharesOfOthers(db)) {
    if (repair) await deleteShare(db, id);
    report({ kind: 'share owner', subject: id, repaired: repair });
  }
  for (const id of await collectLinksOfOthers(db)) {
    if (repair) await deleteCollectLink(db, id);
    report({ kind: 'collect link owner', subject: id, repaired: repair });
  }
}

async function checkStableLinks(db: Database, { repair, report }: Repairing) {
  for (const id of await stableLinksOfOtherImages(db)) {
    if (repair) await emptyStableLink(db, id);
    report({ kind: 'stable link image', subject: id, repaired: repair });
  }
}

/** Minutes after which a running server has deleted an expired image, unless it fails. */
const SWEPT_WITHIN = 10;

async function checkExpired(db: Database, report: Report) {
  const overdue = await countOverdue(db, SWEPT_WITHIN);
  const subject = `${overdue} ${overdue === 1 ? 'image' : 'images'}`;
  if (overdue > 0) report({ kind: 'images overdue', subject, repaired: false });
}

async function checkSums(db: Database, { repair, report }: Repairing) {
  const sums = await wrongSums(db);
  if (repair) for (const { id } of sums) await repairSums(db, id);
  const stillSums = new Set((repair ? await wrongSums(db) : sums).map(({ id }) => id));
  for (const { id, recorded, held } of sums) {
    const detail = `recorded ${recorded.count} images of ${recorded.bytes} bytes, holds ${held.count} of ${held.bytes}`;
    report({ kind: 'account sums', subject: id, detail, repaired: !stillSums.has(id) });
  }
  const counts = await wrongCounts(db);
  if (repair) for (const { id } of counts) await repairCounts(db, id);
  const stillCounts = new Set((repair ? await wrongCounts(db) : counts).map(({ id }) => id));
  for (const { id, intervals } of counts) {
    const detail = `in ${intervals} ${intervals === 1 ? 'place' : 'places'}`;
    report({ kind: 'page counts', subject: id, detail, repaired: !stillCounts.has(id) });
  }
}
