import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Why the server may not use a folder, in one line: its owner, the server's user id, and the command that changes it.
 * Empty for other reasons than missing permission. In containers both ids are often not what an administrator expects.
 */
export function ownerAdvice(folder: string, code: string | undefined): string {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  if (uid === undefined || gid === undefined || (code !== 'EACCES' && code !== 'EPERM')) return '';
  const existing = nearest(folder);
  const owner = statSync(existing, { throwIfNoEntry: false });
  if (!owner || owner.uid === uid) return '';
  const other = `${owner.uid}:${owner.gid}`;
  // Root owns what an engine created; running as root instead would be worse than giving it away.
  const orRun = owner.uid === 0 ? '' : `, or run the server as ${other} (--user ${other}, in Compose user: "${other}")`;
  return (
    `: ${existing} belongs to user ${other} and the server runs as ${uid}:${gid}. ` +
    `Run "chown -R ${uid}:${gid}" on that folder (for a container, on the folder or volume mounted there)${orRun}`
  );
}

/** The path, or the nearest folder above it that exists and can be seen. */
function nearest(path: string): string {
  const parent = dirname(path);
  return existsSync(path) || parent === path ? path : nearest(parent);
}
