/** Counts how often public pages are opened, without a write for each visitor. A killed process loses a few seconds. */
export type ViewCounter = { count(id: string): void; flush(): Promise<void> };

/** Milliseconds between writes. */
const interval = 15_000;

type Parts = {
  add: (id: string, views: number) => Promise<void>;
  onError: (error: unknown) => void;
};

export function createViewCounter({ add, onError }: Parts): ViewCounter & { stop(): void } {
  let views = new Map<string, number>();

  const count = (id: string, number = 1) => void views.set(id, (views.get(id) ?? 0) + number);

  async function write(): Promise<void> {
    const counted = views;
    views = new Map();
    for (const [id, number] of counted) {
      await add(id, number).catch((error: unknown) => {
        count(id, number);
        onError(error);
      });
    }
  }

  let last: Promise<void> = Promise.resolve();
  /** One at a time. What was counted before the call is written after it. */
  function flush(): Promise<void> {
    last = last.then(write);
    return last;
  }

  const timer = setInterval(() => void flush(), interval).unref();
  return {
    count: (id) => count(id),
    flush,
    stop: () => clearInterval(timer),
  };
}
