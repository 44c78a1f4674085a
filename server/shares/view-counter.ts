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

  async function flush(): Promise<void> {
    const counted = views;
    views = new Map();
    for (const [shareId, number] of counted) await add(shareId, number).catch(onError);
  }

  const timer = setInterval(() => void flush(), interval).unref();
  return {
    count: (shareId) => void views.set(shareId, (views.get(shareId) ?? 0) + 1),
    flush,
    stop: () => clearInterval(timer),
  };
}
