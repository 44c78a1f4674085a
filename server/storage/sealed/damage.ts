/** What is broken or cannot be opened, as a disk tells of bytes that it gives back no more: they are lost to who reads. */
import { UnknownKey } from './header.ts';
import { BrokenSeal } from './stream-format.ts';

/** `EBADMSG`: a seal is broken; `ENOKEY`: the object is sealed by a key that is not given. */
export class DamagedBytes extends Error {
  readonly syscall = 'read';
  readonly code: 'EBADMSG' | 'ENOKEY';
  /** For the administrator, without the object's name. */
  readonly reason: string;
  constructor(key: string, seal: BrokenSeal) {
    // Without it as its cause: where failures are judged, a cause counts for more than what it caused.
    super(`${key} cannot be opened: ${seal.message}`);
    this.code = seal instanceof UnknownKey ? 'ENOKEY' : 'EBADMSG';
    this.reason = reasonOf(seal);
  }
}

/** What opens, and is not what was said of it. */
export class OtherBytes extends BrokenSeal {
  constructor(found: string, said: string) {
    super(`its SHA-256 is ${found} instead of ${said}`);
  }
}

/** Plain bytes, where the row says that they are sealed: somebody else has put them there. */
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

/** For `catch`: any other error stays what it is. */
export function asDamage(key: string, error: unknown): unknown {
  return error instanceof BrokenSeal ? new DamagedBytes(key, error) : error;
}
