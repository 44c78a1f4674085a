/** Looks through everything that is stored, and mends what can be mended without losing anything. */
import type { Config } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { type Progress, silent } from '../progress.ts';
import { readMark } from '../storage/mark.ts';
import { readRestoreMark } from '../storage/restore-mark.ts';
import type { Storage } from '../storage/storage.ts';
import { mendCounts, wrongCounts } from './counts.ts';
import type { Finding, Kind } from './findings.ts';
import { textOf } from './findings.ts';
import { checkImages, type ImageParts } from './images.ts';
import { checkLeftovers, type LeftoverParts } from './leftovers.ts';
import { installationId, mendSums, wrongSums } from './queries.ts';
import { checkStrays, strayBucket, strayFolder } from './strays.ts';
import { checkClock, checkSettings, checkSpace } from './surroundings.ts';

export type DoctorParts = ImageParts &
  LeftoverParts & { db: Database; config: Config; storage: Pick<Storage, 'answers' | 'list'> };

export type DoctorOptions = {
  /** Originals and renditions are not read, only their presence and sizes looked at. */
  quick?: boolean;
  repair?: boolean;
  /** Told each finding, once it is mended or not. */
  report: (finding: Finding) => void;
  progress?: Progress;
  signal?: AbortSignal | undefined;
};

export type Diagnosis = {
  images: number;
  files: number;
  found: Partial<Record<Kind, { found: number; repaired: number }>>;
  /** Whether nothing is left to do; hints do not count. */
  healthy: boolean;
};

export async function examine(parts: DoctorParts, options: DoctorOptions): Promise<Diagnosis> {
  const { db, root, config } = parts;
  const { quick = false, repair = false, progress = silent, signal } = options;
  const diagnosis: Diagnosis = { images: 0, files: 0, found: {}, healthy: true };
  const report = (finding: Finding) => {
    const sum = diagnosis.found[finding.kind] ?? { found: 0, repaired: 0 };
    diagnosis.found[finding.kind] = sum;
    sum.found += 1;
    if (finding.repaired) sum.repaired += 1;
    else if (!textOf(finding.kind).hint) diagnosis.healthy = false;
    options.report(finding);
  };

  const inBucket = config.storage === 's3';
  const isOurs = async () => {
    if (inBucket) return parts.storage.answers();
    const id = await installationId(db);
    return id !== undefined && (await readMark(root)) === id;
  };
  if (!(await isOurs())) {
    report({ kind: 'storage foreign', subject: inBucket ? `${config.s3Bucket}` : root, repaired: false });
    return diagnosis;
  }
  await checkSettings(config, report);
  await checkClock(db, report);
  await checkSpace(root, report);
  await checkLeftovers(parts, { repair, report });
  await checkSums(db, { repair, report });
  diagnosis.images = await checkImages(parts, { quick, repair, progress, report, signal });
  if (!inBucket && (await readRestoreMark(root)) !== undefined && diagnosis.images === 0) {
    report({ kind: 'restore unfinished', subject: root, repaired: false });
  } else {
    const place = inBucket ? strayBucket(parts.storage) : strayFolder(root);
    diagnosis.files = await checkStrays({ db, place, isOurs }, { repair, report, signal });
  }
  return diagnosis;
}

async function checkSums(db: Database, { repair, report }: { repair: boolean; report: (finding: Finding) => void }) {
  for (const { id, said, held } of await wrongSums(db)) {
    if (repair) await mendSums(db, id);
    const detail = `said ${said.count} images of ${said.bytes} bytes, holds ${held.count} of ${held.bytes}`;
    report({ kind: 'account sums', subject: id, detail, repaired: repair });
  }
  for (const { id, places } of await wrongCounts(db)) {
    if (repair) await mendCounts(db, id);
    const detail = `in ${places} ${places === 1 ? 'place' : 'places'}`;
    report({ kind: 'page counts', subject: id, detail, repaired: repair });
  }
}
