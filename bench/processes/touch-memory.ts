import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Three times what a round of uploads writes. */
const MEGABYTES = 512;

/**
 * Writes and deletes a file, so that the page cache can use its memory again for about two seconds. A virtual machine may get
 * memory from its host only at the first write: 2 ms for a megabyte, where the write itself takes 0.2.
 */
export async function touchMemory(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const megabyte = Buffer.alloc(1024 * 1024, 1);
    await writeFile(
      join(folder, 'touched'),
      Array.from({ length: MEGABYTES }, () => megabyte),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
