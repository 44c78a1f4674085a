/** Copies one object between backends in its stored form, sealed or plain. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ExpectedObject } from '../../images/keys.ts';
import { sha256OfStream } from '../../lib/sha256.ts';
import { writeMeasured } from '../../storage/durable.ts';
import type { ObjectStore, Stored } from '../../storage/object-store.ts';
import { isDamage } from '../../storage/sealed/damage.ts';
import { HEADER_SIZE, isSealed } from '../../storage/sealed/header.ts';
import type { Keyring } from '../../storage/sealed/keyring.ts';
import { opened } from '../../storage/sealed/open-sealed.ts';
import type { Staging } from '../../storage/staging.ts';

export type SourceAndTarget = {
  from: ObjectStore;
  to: ObjectStore;
  /** On the file system of the backend that is a disk. */
  staging: Staging;
  /** Opens sealed objects to verify them. */
  keyring: Keyring | undefined;
};

/** `absent`: not at the source. `there`: already whole at the target. */
type Outcome = 'copied' | 'there' | 'absent';

/** The source's bytes do not match the row. */
export class WrongBytes extends Error {}

type LocalFile = { path: string; size: number; sha256: string };

/** SHA-256 of the plaintext. @throws DamagedBytes */
const plainSha256 = (stored: Readable, { key, sealed }: ExpectedObject, keyring: Keyring | undefined) =>
  sha256OfStream(keyring ? opened(stored, key, keyring, sealed) : stored);

async function beginsSealed(to: ObjectStore, key: string): Promise<boolean> {
  const stream = await to.read(key, { start: 0, end: HEADER_SIZE - 1 });
  return stream !== undefined && isSealed(await buffer(stream));
}

/** Whether the target's object matches the row. It then stays even if sealed differently: it may be newer than the source's. */
async function isWhole(
  { from, to, keyring }: SourceAndTarget,
  expected: ExpectedObject,
  stored: Stored,
): Promise<boolean> {
  const { key, sha256 } = expected;
  if (expected.sealed && (stored.size < HEADER_SIZE || !(await beginsSealed(to, key)))) return false;
  // The target's SHA-256 matches that of the plain bytes.
  if (stored.sha256 === sha256 && sha256 !== null) return true;
  if (sha256 === null) return true;
  // For a sealed object the target reports the SHA-256 of the sealed bytes, verified when they were copied.
  if (keyring && stored.sha256 !== undefined) {
    const source = await from.read(key);
    // No source: the object was written at the target only.
    if (!source || (await sha256OfStream(source)) === stored.sha256) return true;
  }
  const target = await to.read(key);
  return target !== undefined && (await plainSha256(target, expected, keyring).catch(asUnknown)) === sha256;
}

/** A target that is damaged, plain instead of sealed, or sealed by a forgotten key counts as unknown and is copied again. */
function asUnknown(error: unknown): undefined {
  if (!isDamage(error)) throw error;
}

async function stage(source: Readable, staging: Staging): Promise<LocalFile> {
  const { path, file } = await staging.create().catch((error) => {
    source.destroy();
    throw error;
  });
  try {
    const measured = await writeMeasured(source, file);
    // Synced here because a disk backend commits this very file.
    await file.sync();
    return { path, ...measured };
  } catch (error) {
    await staging.drop(path);
    throw error;
  } finally {
    await file.close();
  }
}

async function verify({ path, sha256: stored }: LocalFile, expected: ExpectedObject, keyring: Keyring | undefined) {
  const { sha256, sealed } = expected;
  if (stored === sha256 && !sealed) return;
  const found = await plainSha256(createReadStream(path, { highWaterMark: 2 ** 18 }), expected, keyring);
  if (sha256 !== null && found !== sha256) throw new WrongBytes(`its SHA-256 is ${found} instead of ${sha256}`);
}

/** @throws WrongBytes, DamagedBytes if the copy would not match the row, before anything is written; and the backends' errors */
export async function copyObject(
  sides: SourceAndTarget,
  expected: ExpectedObject,
): Promise<{ is: Outcome; bytes: number }> {
  const { from, to, staging, keyring } = sides;
  // Most renditions without a SHA-256 do not exist, so the target need not be asked.
  if (expected.sha256 === null && !(await from.stat(expected.key))) return { is: 'absent', bytes: 0 };
  const stored = await to.stat(expected.key);
  if (stored && (await isWhole(sides, expected, stored))) return { is: 'there', bytes: 0 };
  const source = await from.read(expected.key);
  if (!source) return { is: 'absent', bytes: 0 };
  const copy = await stage(source, staging);
  try {
    await verify(copy, expected, keyring);
    await to.commit(copy, expected.key);
    return { is: 'copied', bytes: copy.size };
  } finally {
    if (staging.isInUse(copy.path)) await staging.drop(copy.path);
  }
}
