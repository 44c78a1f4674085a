type Grant = {
  /** Calls back, in order of request, once the bytes may be used; never after `release`. */
  whenFree(bytes: number, onGrant: () => void): void;
  /** Releases the memory and cancels a pending request; may be called more than once. */
  release(): void;
};

export type MemoryBudget = { request(): Grant };

type Request = { bytes: number; onGrant: () => void };

/**
 * A weighted semaphore, in order of request.
 * @param room bytes available on the system. Memory in use may not be allocated yet; if `room` is too small for all of
 * it, a request waits until it is alone.
 */
export function createMemoryBudget(total: number, room = () => Number.POSITIVE_INFINITY): MemoryBudget {
  const waiting: Request[] = [];
  let used = 0;

  const fits = (bytes: number) => used === 0 || bytes === 0 || used + bytes <= Math.min(total, room());

  function admit(): void {
    for (let next = waiting[0]; next !== undefined && fits(next.bytes); next = waiting[0]) {
      waiting.shift();
      used += next.bytes;
      next.onGrant();
    }
  }

  function request(): Grant {
    let pending: Request | undefined;
    let held = 0;
    return {
      whenFree(bytes, onGrant) {
        const wanted = Math.min(bytes, total);
        pending = {
          bytes: wanted,
          onGrant: () => {
            pending = undefined;
            held += wanted;
            onGrant();
          },
        };
        waiting.push(pending);
        admit();
      },
      release() {
        if (pending !== undefined) waiting.splice(waiting.indexOf(pending), 1);
        pending = undefined;
        used -= held;
        held = 0;
        admit();
      },
    };
  }

  return { request };
}
