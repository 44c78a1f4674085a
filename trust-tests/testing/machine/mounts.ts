/** Mounts small, full, read-only or missing file systems, and unmounts them after the test. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';

function must(program: string, ...words: string[]): void {
  const { status, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`);
}

export type Mount = {
  path: string;
  /** `remount,ro`, `remount,size=8m` */
  remount(options: string): void;
  /** Works while files are open. */
  unmount(): void;
  mount(): void;
  /** Takes all free space, to the last byte. @returns a function that frees it */
  fill(): () => void;
};

function mountOf(t: Test, path: string, words: string[]): Mount {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const mount = () => must('mount', ...words, path);
  const unmount = () => {
    spawnSync('umount', ['-l', path]);
  };
  mount();
  t.teardown(unmount);
  return {
    path,
    remount: (options) => must('mount', '-o', options, path),
    unmount,
    mount,
    fill: () => {
      const filler = join(path, 'filler');
      const { bsize, bavail } = statfsSync(path);
      for (let bytes = bsize * bavail; bytes > 0; bytes = Math.floor(bytes / 2)) {
        try {
          writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
      return () => rmSync(filler);
    },
  };
}

/** @param size as mount accepts it: `4m` */
export const mountTmpfs = (t: Test, path: string, size: string): Mount =>
  mountOf(t, path, ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs']);

/** Bind-mounts a folder at another path, like a disk. */
export function mountFolder(t: Test, folder: string, path: string): Mount {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return mountOf(t, path, ['--bind', folder]);
}
