/** Seals rows, file lists and manifests (docs/run/encryption.md). Their names bind them to this file's mark and their time. */
import { sha256Of } from '../lib/sha256.ts';
import {
  createHeader,
  HEADER_SIZE,
  hasOneSlot,
  openHeader,
  rewrapWhole,
  UnknownKey,
} from '../storage/sealed/header.ts';
import { type Keyring, type MasterKey, withoutKeys } from '../storage/sealed/keyring.ts';
import { BEGINNING, SEGMENT_SIZE, streamKeyOf } from '../storage/sealed/open-sealed.ts';
import { createOpening, sealBytes } from '../storage/sealed/stream.ts';
import { BrokenSeal } from '../storage/sealed/stream-format.ts';
import { BackupError, KeyMissing } from './backup-error.ts';
import type { BackupHeader, Manifest, Part, SealedObject } from './manifest.ts';

/** Fields of the header that prefix the names. */
type Bound = Pick<BackupHeader, 'installation' | 'mark'>;

const partName = ({ installation, mark }: Bound, sha256: string) => `backup/${installation}/${mark}/rows/${sha256}`;
const manifestName = ({ installation, mark }: Bound, time: string) => `backup/${installation}/${mark}/snapshot/${time}`;

function sealWhole(name: string, plain: Buffer, key: MasterKey): Buffer {
  const { header, dataKey } = createHeader(name, key, SEGMENT_SIZE);
  return Buffer.concat([header, sealBytes(streamKeyOf(name, dataKey, SEGMENT_SIZE), plain)]);
}

/** @throws KeyMissing, BackupError; `what` names the bytes */
function openWhole(name: string, sealed: Buffer, keyring: Keyring, what: string): Buffer {
  try {
    const { dataKey, segmentSize } = openHeader(sealed, name, keyring);
    if (!hasOneSlot(sealed)) throw new BrokenSeal('its free slot is not empty');
    const opening = createOpening(streamKeyOf(name, dataKey, segmentSize));
    return Buffer.concat([...opening.add(sealed.subarray(HEADER_SIZE)), ...opening.end()]);
  } catch (error) {
    if (error instanceof UnknownKey) {
      throw new KeyMissing(
        `${what.replace('the', 'The')} is sealed by the key ${error.ids.join(' or ')}, which is not given: set it as ENCRYPTION_KEY, or as ` +
          'ENCRYPTION_KEY_PREVIOUS.',
      );
    }
    if (error instanceof BrokenSeal) throw new BackupError(`The backup is damaged: ${what} cannot be opened.`);
    throw error;
  }
}

/** @throws KeyMissing, BackupError */
export function openManifest(stored: Buffer, header: BackupHeader, time: string, keyring = withoutKeys): Buffer {
  return openWhole(manifestName(header, time), stored, keyring, `the snapshot ${time} in the backup`);
}

type Opener = { header: BackupHeader; keyring: Keyring | undefined };

/** The plaintext of a part. @param stored its object @throws KeyMissing, BackupError */
export function openPart(stored: Buffer, { sha256, sealed }: Part, { header, keyring = withoutKeys }: Opener): Buffer {
  if (!sealed) return stored;
  const what = `the part ${sha256}`;
  const whole = Buffer.concat([Buffer.from(sealed.beginning, 'base64'), stored]);
  const plain = openWhole(partName(header, sha256), whole, keyring, what);
  if (sha256Of(plain) === sha256) return plain;
  throw new BackupError(`The backup is damaged: ${what} has other bytes.`);
}

export type RowSeals = {
  /** This part in the newest snapshot, its data key wrapped by the present key; undefined if it has none. */
  before(sha256: string): SealedObject | undefined;
  part(sha256: string, plain: Buffer): { beginning: string; rest: Buffer };
  manifest(time: string, text: Buffer): Buffer;
};

/** @param newest previous manifest, whose parts are re-wrapped: the new snapshot then needs only the present key */
export function createRowSeals(header: Bound, keyring: Keyring, present: MasterKey, newest?: Manifest): RowSeals {
  const before = new Map<string, SealedObject>();
  for (const { parts } of newest ? [...newest.tables, newest.files] : []) {
    for (const { sha256, sealed } of parts) if (sealed) before.set(sha256, sealed);
  }
  return {
    before(sha256) {
      const sealed = before.get(sha256);
      return sealed && underPresentKey(sealed, partName(header, sha256), keyring);
    },
    part(sha256, plain) {
      const whole = sealWhole(partName(header, sha256), plain, present);
      return { beginning: whole.subarray(0, BEGINNING).toString('base64'), rest: whole.subarray(BEGINNING) };
    },
    manifest: (time, text) => sealWhole(manifestName(header, time), text, present),
  };
}

/** Re-wraps an object's data key with the present key; undefined if the given keys do not open it. */
export function underPresentKey<T extends SealedObject>(sealed: T, name: string, keyring: Keyring): T | undefined {
  const beginning = Buffer.from(sealed.beginning, 'base64');
  try {
    openHeader(beginning, name, keyring);
    const header = keyring.present && rewrapWhole(beginning, name, keyring, keyring.present);
    if (!header) return sealed;
    return { ...sealed, beginning: Buffer.concat([header, beginning.subarray(HEADER_SIZE)]).toString('base64') };
  } catch (error) {
    if (error instanceof BrokenSeal) return undefined;
    throw error;
  }
}
