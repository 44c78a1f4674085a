/** A queue that serves owners in turn, each in order, however many items one owner has. */
export type FairQueue<T> = {
  readonly size: number;
  push(owner: string, item: T): void;
  peek(): T | undefined;
  /** The next item; its owner's next turn comes after all other waiting owners'. */
  shift(): T | undefined;
  remove(owner: string, item: T): void;
  clear(): T[];
};

export function createFairQueue<T>(): FairQueue<T> {
  /** Owners in the order of their turns; a Map keeps insertion order. */
  const lines = new Map<string, Set<T>>();
  let size = 0;

  function take(owner: string, line: Set<T>, item: T): void {
    if (!line.delete(item)) return;
    size -= 1;
    if (line.size === 0) lines.delete(owner);
  }

  function first(): { owner: string; line: Set<T>; item: T } | undefined {
    for (const [owner, line] of lines) {
      for (const item of line) return { owner, line, item };
    }
    return undefined;
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
    peek: () => first()?.item,
    shift() {
      const next = first();
      if (next === undefined) return undefined;
      const { owner, line, item } = next;
      lines.delete(owner);
      lines.set(owner, line);
      take(owner, line, item);
      return item;
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
