/** What waits, by who asked for it: they are served in turn, each in the order of asking, however much one asks for. */
export type FairQueue<T> = {
  readonly size: number;
  push(owner: string, item: T): void;
  /** The next one; its owner's next turn comes when all others who wait have had theirs. */
  shift(): T | undefined;
  /** Does nothing where the item does not wait. */
  remove(owner: string, item: T): void;
  /** Empties the queue. @returns what waited */
  clear(): T[];
};

export function createFairQueue<T>(): FairQueue<T> {
  /** In the order of their turns: a Map keeps the order in which its keys came. */
  const lines = new Map<string, Set<T>>();
  let size = 0;

  function take(owner: string, line: Set<T>, item: T): void {
    if (!line.delete(item)) return;
    size -= 1;
    if (line.size === 0) lines.delete(owner);
  }

  return {
    get size() {
      return size;
    },
    push(owner, item) {
      const line = lines.get(owner) ?? new Set<T>();
      lines.set(owner, line.add(item));
      size += 1;
    },
    shift() {
      for (const [owner, line] of lines) {
        for (const item of line) {
          lines.delete(owner);
          lines.set(owner, line);
          take(owner, line, item);
          return item;
        }
      }
      return undefined;
    },
    remove(owner, item) {
      const line = lines.get(owner);
      if (line) take(owner, line, item);
    },
    clear() {
      const waiting = [...lines.values()].flatMap((line) => [...line]);
      lines.clear();
      size = 0;
      return waiting;
    },
  };
}
