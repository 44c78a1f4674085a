import { UnknownKey } from './header.ts';
import { BrokenSeal } from './stream-format.ts';

/** Bytes that cannot be unsealed. `EBADMSG`: the seal is broken; `ENOKEY`: the object is sealed by a missing key. */
export class DamagedBytes extends Error {
  readonly syscall = 'read';
  readonly code: 'EBADMSG' | 'ENOKEY';
  /** For the administrator, without the object's name. */
  readonly reason: string;
  constructor(key: string, seal: BrokenSeal) {
    // Without `cause`: error handling elsewhere looks at the cause first.
    super(`${key} cannot be opened: ${seal.message}`);
    this.code = seal instanceof UnknownKey ? 'ENOKEY' : 'EBADMSG';
    this.reason = reasonOf(seal);
  }
}

/** Unsealed bytes with another checksum than recorded. */
export class OtherBytes extends BrokenSeal {
  constructor(found: string, expected: string) {
    super(`its SHA-256 is ${found} instead of ${expected}`);
  }
}

/** Plaintext where the row says sealed: another program has put it there. */
export class NotSealed extends BrokenSeal {
  constructor() {
    super('plain bytes are stored where sealed ones belong');
  }
}

function reasonOf(seal: BrokenSeal): string {
  if (seal instanceof UnknownKey) return 'it is sealed by a key that is not given';
  return seal instanceof OtherBytes || seal instanceof NotSealed ? seal.message : 'its seal is broken';
}

export const isDamage = (error: unknown): error is DamagedBytes => error instanceof DamagedBytes;

/** For `catch`: returns other errors unchanged. */
export function asDamage(key: string, error: unknown): unknown {
  return error instanceof BrokenSeal ? new DamagedBytes(key, error) : error;
}
