export type Grant = {
  /** Calls back, in order of request, once the bytes may be used; never after `release`. */
  whenFree(bytes: number, enter: () => void): void;
  /** Releases the memory and cancels a pending request; may be called more than once. */
  release(): void;
};

export type MemoryBudget = { request(): Grant };

type Asking = { bytes: number; enter: () => void };

/**
 * A weighted semaphore: the total in use stays within `total`, in order of request.
 * @param room bytes available on the system. Memory in use may not be allocated yet, so if `room` is too small for all
 * of it, a request waits until it is alone
 */
export function createMemoryBudget(total: number, room = () => Number.POSITIVE_INFINITY): MemoryBudget {
  const waiting: Asking[] = [];
  let used = 0;

  const fits = (bytes: number) => used === 0 || bytes === 0 || used + bytes <= Math.min(total, room());

  function admit(): void {
    for (let next = waiting[0]; next !== undefined && fits(next.bytes); next = waiting[0]) {
      waiting.shift();
      used += next.bytes;
      next.enter();
    }
  }

  function request(): Grant {
    let asking: Asking | undefined;
    let held = 0;
    return {
      whenFree(bytes, enter) {
        const wanted = Math.min(bytes, total);
        asking = {
          bytes: wanted,
          enter: () => {
            asking = undefined;
            held += wanted;
            enter();
          },
        };
        waiting.push(asking);
        admit();
      },
      release() {
        if (asking !== undefined) waiting.splice(waiting.indexOf(asking), 1);
        asking = undefined;
        used -= held;
        held = 0;
        admit();
      },
    };
  }

  return { request };
}
