import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Three times what a round of uploads writes. */
const MEGABYTES = 512;

/**
 * Writes and deletes a file, so that the page cache reuses memory for the next two seconds. A virtual machine may get memory
 * from its host only when it is written to for the first time. That can take 2 ms for a megabyte, ten times the write itself,
 * and it depends on what the machine did before.
 */
export async function touchMemory(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const file = await open(join(folder, 'touched'), 'wx');
    const megabyte = Buffer.alloc(1024 * 1024, 1);
    for (let count = 0; count < MEGABYTES; count += 1) await file.write(megabyte);
    await file.close();
  } finally {
    await rm(folder, { recursive: true });
  }
}
