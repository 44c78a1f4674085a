/**
 * The header before an object's sealed stream (docs/run/encryption.md): the magic and the data key, wrapped by a master
 * key, in one of two slots. With two, one can be written while the other stays valid.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { KEY_ID_SIZE, type Keyring, type MasterKey } from './keyring.ts';
import { BrokenSeal, TAG_SIZE } from './stream-format.ts';

/** No image begins with these bytes; the last one is the format's version. */
const MAGIC = Buffer.from('d35345414c454401', 'hex');
/** Magic, segment size, four zero bytes. */
const PREAMBLE_SIZE = 16;
/** 1 if used, three zero bytes, the master key's id, nonce, wrapped data key, tag. */
const SLOT_SIZE = 80;
const NONCE_AT = 4 + KEY_ID_SIZE;
const WRAPPED_AT = NONCE_AT + 12;
const TAG_AT = SLOT_SIZE - TAG_SIZE;
const SLOTS = [0, 1] as const;

export const HEADER_SIZE = PREAMBLE_SIZE + SLOTS.length * SLOT_SIZE;
const DATA_KEY_SIZE = 32;

export class UnknownKey extends BrokenSeal {
  readonly ids: readonly string[];
  constructor(ids: readonly string[]) {
    super(`it is sealed by the key ${ids.join(' or ')}, which is not given`);
    this.ids = ids;
  }
}

export const isSealed = (beginning: Uint8Array): boolean =>
  beginning.length >= MAGIC.length && MAGIC.equals(beginning.subarray(0, MAGIC.length));

const slotAt = (slot: number) => PREAMBLE_SIZE + slot * SLOT_SIZE;
const slotOf = (header: Uint8Array, slot: number) =>
  Buffer.from(header.subarray(slotAt(slot), slotAt(slot) + SLOT_SIZE));
const keyIdIn = (slot: Buffer) => slot.toString('hex', 4, NONCE_AT);
const isUsed = (slot: Buffer) => slot[0] === 1;

const associated = (header: Uint8Array, slot: Uint8Array, name: string) =>
  Buffer.concat([header.subarray(0, PREAMBLE_SIZE), slot.subarray(0, NONCE_AT), Buffer.from(name)]);

function wrap(header: Uint8Array, dataKey: Uint8Array, name: string, key: MasterKey): Buffer {
  const slot = Buffer.alloc(SLOT_SIZE);
  slot[0] = 1;
  slot.write(key.id, 4, 'hex');
  slot.set(randomBytes(12), NONCE_AT);
  const cipher = createCipheriv('aes-256-gcm', key.wrappingKey(name), slot.subarray(NONCE_AT, WRAPPED_AT));
  cipher.setAAD(associated(header, slot, name));
  slot.set(cipher.update(dataKey), WRAPPED_AT);
  cipher.final();
  slot.set(cipher.getAuthTag(), TAG_AT);
  return slot;
}

function unwrap(header: Uint8Array, slot: Buffer, name: string, key: MasterKey): Buffer | undefined {
  const nonce = slot.subarray(NONCE_AT, WRAPPED_AT);
  const decipher = createDecipheriv('aes-256-gcm', key.wrappingKey(name), nonce, { authTagLength: TAG_SIZE });
  decipher.setAAD(associated(header, slot, name));
  decipher.setAuthTag(slot.subarray(TAG_AT));
  const dataKey = decipher.update(slot.subarray(WRAPPED_AT, TAG_AT));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return dataKey;
}

export function createHeader(name: string, key: MasterKey, segmentSize: number): { header: Buffer; dataKey: Buffer } {
  const dataKey = randomBytes(DATA_KEY_SIZE);
  return { header: headerWith(dataKey, name, key, segmentSize), dataKey };
}

function headerWith(dataKey: Buffer, name: string, key: MasterKey, segmentSize: number): Buffer {
  const header = Buffer.alloc(HEADER_SIZE);
  header.set(MAGIC);
  header.writeUInt32BE(segmentSize, MAGIC.length);
  header.set(wrap(header, dataKey, name, key), slotAt(0));
  return header;
}

/** Whether the second slot is empty. While it is unused, no seal covers its bytes. */
export const hasOneSlot = (header: Uint8Array): boolean => slotOf(header, 1).every((byte) => byte === 0);

type OpenedHeader = { dataKey: Buffer; segmentSize: number; slot: number; key: MasterKey };

export function segmentSizeIn(header: Uint8Array): number | undefined {
  if (header.length < PREAMBLE_SIZE) return undefined;
  const size = Buffer.from(header.subarray(MAGIC.length, MAGIC.length + 4)).readUInt32BE();
  return size >= 2 ** 12 && size <= 2 ** 20 && Number.isInteger(Math.log2(size)) ? size : undefined;
}

/** Unwraps the data key. @param name the object's key in the storage @throws UnknownKey, BrokenSeal */
export function openHeader(header: Uint8Array, name: string, keyring: Keyring): OpenedHeader {
  const segmentSize = segmentSizeIn(header);
  if (!isSealed(header) || segmentSize === undefined || header.length < HEADER_SIZE)
    throw new BrokenSeal('its header is malformed');
  const unknown: string[] = [];
  for (const slot of SLOTS) {
    const bytes = slotOf(header, slot);
    if (!isUsed(bytes)) continue;
    const key = keyring.find(keyIdIn(bytes));
    const dataKey = key && unwrap(header, bytes, name, key);
    if (key && dataKey) return { dataKey, segmentSize, slot, key };
    if (!key) unknown.push(keyIdIn(bytes));
  }
  throw unknown.length > 0 ? new UnknownKey(unknown) : new BrokenSeal('its data key cannot be unwrapped');
}

/** Bytes to overwrite; each patch is synced before the next one. */
export type Patch = { at: number; bytes: Buffer };

/** Writes the free slot, then clears the other one. @returns no patches if none are needed @throws UnknownKey, BrokenSeal */
export function rewrapInPlace(header: Uint8Array, name: string, keyring: Keyring, key: MasterKey): Patch[] {
  const preferred = { ...keyring, find: (id: string) => (id === key.id ? key : undefined) };
  // Also clears a partly cleared slot.
  const emptied = (slot: number): Patch[] =>
    slotOf(header, slot).some((byte) => byte !== 0) ? [{ at: slotAt(slot), bytes: Buffer.alloc(SLOT_SIZE) }] : [];
  try {
    return emptied(1 - openHeader(header, name, preferred).slot);
  } catch {
    const { dataKey, slot } = openHeader(header, name, keyring);
    const free = 1 - slot;
    const wrapped = wrap(header, dataKey, name, key);
    return [
      { at: slotAt(free), bytes: wrapped },
      { at: slotAt(slot), bytes: Buffer.alloc(SLOT_SIZE) },
    ];
  }
}

/** @returns undefined if the present key already is the only one that wraps the data key @throws UnknownKey, BrokenSeal */
export function rewrapWhole(header: Uint8Array, name: string, keyring: Keyring, key: MasterKey): Buffer | undefined {
  if (rewrapInPlace(header, name, keyring, key).length === 0) return undefined;
  const { dataKey, segmentSize } = openHeader(header, name, keyring);
  return headerWith(dataKey, name, key, segmentSize);
}
