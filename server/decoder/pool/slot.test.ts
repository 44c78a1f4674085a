import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { copyWhole, hasSlots, openSlot } from './slot.ts';

const linux = process.platform === 'linux';

function slowFile(content: string, size = content.length) {
  return {
    stat: async () => ({ size }),
    async read(target: Buffer, _offset: number, length: number, at: number) {
      const bytesRead = target.write(content.slice(at, at + Math.min(length, 3)), 'latin1');
      return { bytesRead, buffer: target };
    },
  } as unknown as Parameters<typeof copyWhole>[0];
}

t.test('a short read does not end the copy', async (t) => {
  let copy = '';
  const copied = await copyWhole(slowFile('0123456789'), Buffer.alloc(100), async (bytes, at) => {
    t.equal(at, copy.length);
    copy += bytes;
  });
  t.equal(copy, '0123456789');
  t.match({ size: copied.size, head: String(copied.head) }, { size: 10, head: '0123456789' });
});

t.test('a file that shrinks during the copy is a disk failure', async (t) => {
  const write = async () => {};
  await t.rejects(copyWhole(slowFile('0123456789', 20), Buffer.alloc(100), write), { code: 'EIO', syscall: 'read' });
});

/** Descriptors in a folder that are writable or unlinked; either prevents a read-only remount of the disk. */
function holdsDisk(folder: string): string[] {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      const mode = Number.parseInt(
        /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0',
        8,
      );
      return target.startsWith(folder) && ((mode & 3) !== 0 || target.endsWith(' (deleted)'));
    } catch {
      return false; // the descriptor of the listing
    }
  });
}

t.test(
  'a slot recreates its swept folder, does not block a remount, and can be emptied',
  { skip: !linux },
  async (t) => {
    const parent = mkdtempSync(join(tmpdir(), 'slot-'));
    t.teardown(() => rmSync(parent, { recursive: true }));
    writeFileSync(join(parent, 'picture'), 'picture');
    const folder = join(parent, 'staged');
    t.ok(hasSlots);
    const slot = await openSlot(folder);
    await slot.fill(join(parent, 'picture'));
    const content = () => readFileSync(`/proc/self/fd/${slot.descriptor}`, 'utf8');
    t.equal(content(), 'picture');
    t.strictSame(holdsDisk(parent), []);
    await slot.empty();
    t.equal(content(), '');
    t.strictSame(holdsDisk(parent), []);
    await slot.close();
    t.strictSame(readdirSync(folder), []);
  },
);

t.test('a slot whose folder cannot be created is refused', { skip: !linux }, async (t) => {
  await t.rejects(openSlot('/nowhere/at/all'), { code: 'ENOENT' });
});
