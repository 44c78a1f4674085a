/** What a decoder may read: the program, its libraries and fonts, but no settings, home folders or DATA_DIR. */
import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, relative, sep } from 'node:path';

const SYSTEM = [
  ...['/lib', '/lib32', '/lib64', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/local/lib', '/nix/store'],
  ...['/etc/ld.so.cache', '/etc/ssl/openssl.cnf', '/usr/share/nodejs'],
  // Text in SVG files is rendered with the system's fonts.
  ...['/etc/fonts', '/usr/share/fonts', '/usr/local/share/fonts', '/usr/share/X11/fonts', '/usr/share/fontconfig'],
  '/var/cache/fontconfig',
];

type Readable = {
  read: string[];
  /** Files that may also be executed: Node and its ELF loader. */
  run: string[];
};

export function readableFor(entry: string): Readable {
  const root = packageOf(entry);
  const own = [relative(root, entry).split(sep)[0] ?? '', 'node_modules', 'package.json'].map((name) =>
    join(root, name),
  );
  const libraries = (process.env.LD_LIBRARY_PATH ?? '').split(delimiter).filter((path) => path.startsWith('/'));
  const node = realpathSync(process.execPath);
  const loader = loaderOf(node);
  return {
    read: withTargets([...SYSTEM, ...libraries, ...own]),
    run: withTargets(loader === undefined ? [node] : [node, loader]),
  };
}

function packageOf(file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  throw new Error(`no package.json above ${file}`);
}

/** Existing paths; for a symlink also its target. */
function withTargets(paths: string[]): string[] {
  return [...new Set(paths.filter((path) => existsSync(path)).flatMap((path) => [path, realpathSync(path)]))];
}

const PT_INTERP = 3;

/** The loader that a 64-bit ELF file names in its PT_INTERP segment (elf(5)). */
function loaderOf(binary: string): string | undefined {
  const file = openSync(binary, 'r');
  try {
    const read = (length: number, at: number) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, at));
    };
    const header = read(64, 0);
    const table = Number(header.readBigUInt64LE(32));
    const size = header.readUInt16LE(54);
    for (let index = 0; index < header.readUInt16LE(56); index += 1) {
      const segment = read(size, table + index * size);
      if (segment.readUInt32LE(0) !== PT_INTERP) continue;
      const name = read(Number(segment.readBigUInt64LE(32)), Number(segment.readBigUInt64LE(8)));
      return name.toString('latin1').replace(/\0.*$/s, '');
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}
