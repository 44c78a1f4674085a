/** One client: uploads, lists, views and deletes through the proxy, and compares each answer with earlier ones. */
import { anyOf } from './any-of.ts';
import { createCalls } from './calls.ts';
import type { ClientParts } from './client-parts.ts';
import { remove } from './deletion.ts';
import { createReading } from './reading.ts';
import { createUploads } from './uploads.ts';

export function createClient(parts: ClientParts) {
  const calls = createCalls(parts);
  const { uploadForm, uploadPieces } = createUploads(parts, calls);
  const { list, search, view } = createReading(parts, calls);
  const writing = [uploadForm, uploadForm, uploadForm, uploadPieces, view, () => remove(parts, calls)];
  const reading = [list, list, search, view];
  return {
    write: async (): Promise<void> => anyOf(writing)?.(),
    read: async (): Promise<void> => anyOf(reading)?.(),
  };
}
