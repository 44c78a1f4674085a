import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** From Debian's package libnss-wrapper, found by the loader. The official Postgres image uses it in the same way. */
const LIBRARY = 'libnss_wrapper.so';

/**
 * Variables that give a user id a name. initdb and the single-user mode refuse an id without one; the server needs none.
 * Containers run as any id, and nobody can add it to the /etc/passwd of a read-only image.
 * @param folder the user can read it
 * @returns none if the id has a name
 */
export async function nameUser(folder: string, uid: number, gid: number): Promise<NodeJS.ProcessEnv> {
  if (process.platform !== 'linux' || (await hasName(uid))) return {};
  const [passwd, group] = [join(folder, 'passwd'), join(folder, 'group')];
  writeNew(passwd, `gallery:x:${uid}:${gid}:gallery:/:/bin/false\n`);
  writeNew(group, `gallery:x:${gid}:\n`);
  return { LD_PRELOAD: LIBRARY, NSS_WRAPPER_PASSWD: passwd, NSS_WRAPPER_GROUP: group };
}

/** Follows no link: the server may be root, and the folder another user's. */
function writeNew(path: string, text: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, text, { flag: 'wx', mode: 0o644 });
}

/** getent answers 2 for an id that no source of names knows. */
const hasName = (uid: number): Promise<boolean> =>
  new Promise((resolve) => {
    execFile('getent', ['passwd', String(uid)], (error) => resolve(error?.code !== 2));
  });
