/**
 * What becomes of bytes whose rows may or may not have been written: the database was lost while it was asked. They may
 * go only when it has answered that no row names them; until then they stay, since a file without a row can be swept
 * and a row without its file cannot be mended.
 */
import type { FastifyBaseLogger } from 'fastify';

export type LateUndo = {
  /** @param removeBytes called once the rows of these ids are known to be gone */
  add(ids: string[], removeBytes: () => Promise<void>): void;
  close(): void;
};

type Options = {
  /** Deletes these rows, as far as they were written. */
  deleteRows: (ids: string[]) => Promise<void>;
  log: FastifyBaseLogger;
  /** Milliseconds: longer than a statement that was under way can still take. */
  wait?: number;
};

export function createLateUndo({ deleteRows, log, wait = 60_000 }: Options): LateUndo {
  const timers = new Set<NodeJS.Timeout>();

  function add(ids: string[], removeBytes: () => Promise<void>): void {
    const undo = async () => {
      try {
        await deleteRows(ids);
        await removeBytes();
      } catch (err) {
        log.warn({ err, images: ids.length }, 'an upload that failed is not undone yet; trying again');
        add(ids, removeBytes);
      }
    };
    const timer = setTimeout(() => {
      timers.delete(timer);
      void undo();
    }, wait).unref();
    timers.add(timer);
  }

  return {
    add,
    close: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
