/** What is broken or cannot be opened, as a disk tells of bytes that it gives back no more: they are lost to who reads. */
import { UnknownKey } from './head.ts';
import { BrokenSeal } from './stream-format.ts';

/** `EBADMSG`: a seal is broken; `ENOKEY`: the object is sealed by a key that is not given. */
export class DamagedBytes extends Error {
  readonly syscall = 'read';
  readonly code: 'EBADMSG' | 'ENOKEY';
  constructor(key: string, seal: BrokenSeal) {
    // Without it as its cause: where failures are judged, a cause counts for more than what it caused.
    super(`${key} cannot be opened: ${seal.message}`);
    this.code = seal instanceof UnknownKey ? 'ENOKEY' : 'EBADMSG';
  }
}

export const isDamage = (error: unknown): error is DamagedBytes => error instanceof DamagedBytes;

/** For `catch`: any other error stays what it is. */
export function asDamage(key: string, error: unknown): unknown {
  return error instanceof BrokenSeal ? new DamagedBytes(key, error) : error;
}
