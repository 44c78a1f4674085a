/** The cached pages of one session's gallery and the calls in flight. Independent of React and of the network. */
import type { Image, ImagePage } from '../../server/contract.ts';
import { type KeptPage, keepPage, withoutImage } from '../image/kept-page.ts';
import type { Address } from './address.ts';

/** How many pages are cached, to show them at once when the user returns. */
const KEPT = 12;

export interface PageState {
  readonly kept: KeptPage | undefined;
  /** why the last call failed; undefined after a success */
  readonly error: unknown;
  /** counts failures, so that each is reported once */
  readonly failures: number;
  readonly fetching: boolean;
}

export interface Pages {
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: (address: Address) => PageState;
  /** Loads a page, or joins the call in flight for it. */
  readonly load: (address: Address) => Promise<void>;
  /** Loads the first page before its screen is rendered; that screen's first `load` joins this call. */
  readonly begin: (address: Address) => void;
  /** Loads a page ahead of need, unless it is cached. A failure is not reported. */
  readonly prefetch: (address: Address) => Promise<KeptPage | undefined>;
  /** Aborts a page's call; the cached page stays. */
  readonly leave: (address: Address) => void;
  /** Reloads one page and forgets the others. Answers still in flight are ignored: they may be stale. */
  readonly refresh: (address: Address) => Promise<void>;
  /** Removes a deleted image from a page, and forgets the others, which have shifted. @returns the page as it is now */
  readonly drop: (id: string, address: Address) => KeptPage | undefined;
  /** Updates a changed image on its page at once, reloads that page, and forgets the others. */
  readonly put: (image: Image, address: Address) => void;
  readonly clear: () => void;
}

interface Call {
  readonly stop: AbortController;
  readonly quietly: boolean;
  done: Promise<void>;
}

const NOTHING: PageState = { kept: undefined, error: undefined, failures: 0, fetching: false };

/** Keeps the object identity of unchanged images, so that their cards do not render again. */
function reusing(before: readonly Image[], page: ImagePage): ImagePage {
  const known = new Map(before.map((image) => [image.id, image]));
  const images = page.images.map((image) => {
    const old = known.get(image.id);
    return old !== undefined && JSON.stringify(old) === JSON.stringify(image) ? old : image;
  });
  return { ...page, images };
}

const keyOf = ({ page, search, sort }: Address): string => `${page} ${sort ?? ''} ${search}`;

/** @param list `quietly`: for a prefetch, whose failure must not be reported or end the session */
export function createPages(
  list: (address: Address, signal: AbortSignal, quietly: boolean) => Promise<ImagePage>,
): Pages {
  const states = new Map<string, PageState>();
  const calls = new Map<string, Call>();
  const listeners = new Set<() => void>();

  const read = (address: Address): PageState => states.get(keyOf(address)) ?? NOTHING;
  function write(key: string, change: Partial<PageState>): void {
    const state = { ...(states.get(key) ?? NOTHING), ...change };
    states.delete(key);
    states.set(key, state);
    for (const old of states.keys()) if (states.size > KEPT && !calls.has(old) && old !== key) states.delete(old);
    for (const listener of listeners) listener();
  }
  function stop(key: string): void {
    const call = calls.get(key);
    if (call === undefined) return;
    calls.delete(key);
    call.stop.abort();
    write(key, { fetching: false });
  }
  function forget(keep?: string): void {
    for (const key of [...calls.keys()]) stop(key);
    for (const key of [...states.keys()]) if (key !== keep) states.delete(key);
  }
  async function ask(key: string, address: Address, call: Call): Promise<void> {
    let change: Partial<PageState> | undefined;
    try {
      const page = await list(address, call.stop.signal, call.quietly);
      const before = states.get(key)?.kept?.images ?? [];
      change = { kept: keepPage(reusing(before, page)), error: undefined };
    } catch (error) {
      if (!call.quietly) change = { error, failures: (states.get(key)?.failures ?? 0) + 1 };
    }
    // The call was aborted meanwhile: ignore its answer.
    if (calls.get(key) !== call) return;
    calls.delete(key);
    write(key, { ...change, fetching: false });
  }
  function start(address: Address, quietly: boolean): Promise<void> {
    const key = keyOf(address);
    const call: Call = { stop: new AbortController(), quietly, done: Promise.resolve() };
    calls.set(key, call);
    write(key, { fetching: true });
    call.done = ask(key, address, call);
    return call.done;
  }
  async function join(address: Address, call: Call): Promise<void> {
    await call.done;
    // The prefetch failed silently, and this caller needs the page.
    if (call.quietly && !call.stop.signal.aborted && read(address).kept === undefined) await load(address);
  }
  let begun: string | undefined;
  async function load(address: Address): Promise<void> {
    const call = calls.get(keyOf(address));
    const isBegun = begun === keyOf(address);
    begun = undefined;
    if (isBegun && call === undefined) return;
    await (call === undefined ? start(address, false) : join(address, call));
  }
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read,
    load,
    begin(address) {
      begun = keyOf(address);
      void start(address, false);
    },
    async prefetch(address) {
      if (read(address).kept === undefined) await (calls.get(keyOf(address))?.done ?? start(address, true));
      return read(address).kept;
    },
    leave(address) {
      stop(keyOf(address));
      // A user who returns reloads the page, and sees only new failures.
      write(keyOf(address), { error: undefined });
    },
    refresh(address) {
      forget(keyOf(address));
      return load(address);
    },
    drop(id, address) {
      const key = keyOf(address);
      forget(key);
      const kept = states.get(key)?.kept;
      const left = kept && withoutImage(kept, id);
      // The user has moved to another page meanwhile. Its call is restarted: the answer may be stale.
      if (left === kept) void start(address, false);
      else write(key, { kept: left });
      return left;
    },
    put(image, address) {
      const key = keyOf(address);
      forget(key);
      const kept = states.get(key)?.kept;
      if (kept) {
        write(key, { kept: { ...kept, images: kept.images.map((each) => (each.id === image.id ? image : each)) } });
      }
      void start(address, false);
    },
    clear: () => forget(),
  };
}
