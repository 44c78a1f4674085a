/** Counts how often the pages of shares are opened, without a write for each visitor. A killed process loses a few seconds. */
export type ViewCounter = { count(shareId: string): void; flush(): Promise<void> };

/** Milliseconds between writes. */
const interval = 15_000;

type Parts = {
  add: (shareId: string, views: number) => Promise<void>;
  onError: (error: unknown) => void;
};

export function createViewCounter({ add, onError }: Parts): ViewCounter & { stop(): void } {
  let views = new Map<string, number>();

  const count = (shareId: string, number = 1) => void views.set(shareId, (views.get(shareId) ?? 0) + number);

  async function write(): Promise<void> {
    const counted = views;
    views = new Map();
    for (const [shareId, number] of counted) {
      await add(shareId, number).catch((error: unknown) => {
        count(shareId, number);
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
    count: (shareId) => count(shareId),
    flush,
    stop: () => clearInterval(timer),
  };
}
