/** The pages of one session's gallery: what was loaded of them, and the calls under way. Knows neither React nor the network. */
import type { Image, ImagePage } from '../../server/contract.ts';
import type { Address } from './address.ts';
import { type KeptPage, keepPage, withoutImage } from './page-cache.ts';

/** Pages that are kept to be shown at once when somebody comes back to them. */
const KEPT = 12;

export interface PageState {
  readonly kept: KeptPage | undefined;
  /** why the last call for it failed; undefined since one succeeded */
  readonly error: unknown;
  /** counts the failures, so that each can be told once */
  readonly failures: number;
  readonly fetching: boolean;
}

export interface Pages {
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: (address: Address) => PageState;
  /** Asks for a page, or joins the call under way for it. */
  readonly load: (address: Address) => Promise<void>;
  /** Asks for the first page before the screen that will show it stands: that screen's own first `load` is this one. */
  readonly begin: (address: Address) => void;
  /** Asks for a page that nobody has come to yet, where it is not here. A failure leaves no trace. */
  readonly prefetch: (address: Address) => Promise<KeptPage | undefined>;
  /** Breaks off a page's call; what was loaded of it stays. */
  readonly leave: (address: Address) => void;
  /** Forgets every page but one, which is asked for anew: an answer still under way may be older than what made it wrong. */
  readonly refresh: (address: Address) => Promise<void>;
  /** Takes a deleted image out of a page; the others have shifted by one, and are forgotten. @returns the page as it is now */
  readonly drop: (id: string, address: Address) => KeptPage | undefined;
  /** An image has changed: the page shows it at once, and is asked for anew; the others are forgotten. */
  readonly put: (image: Image, address: Address) => void;
  /** Forgets everything. */
  readonly clear: () => void;
}

interface Call {
  readonly stop: AbortController;
  readonly quietly: boolean;
  done: Promise<void>;
}

const NOTHING: PageState = { kept: undefined, error: undefined, failures: 0, fetching: false };

/** Images that are as they were stay the same objects, so that what shows them need not be drawn again. */
function reusing(before: readonly Image[], page: ImagePage): ImagePage {
  const known = new Map(before.map((image) => [image.id, image]));
  const images = page.images.map((image) => {
    const old = known.get(image.id);
    return old !== undefined && JSON.stringify(old) === JSON.stringify(image) ? old : image;
  });
  return { ...page, images };
}

const keyOf = ({ page, search, sort }: Address): string => `${page} ${sort ?? ''} ${search}`;

/** @param list `quietly`: nobody has asked for it, and nobody is to be disturbed by its refusal */
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
    // Broken off meanwhile: whatever came is not what is wanted now.
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
    // It failed without a word, and now somebody waits.
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
      // Whoever comes back asks anew, and is told of a new failure only.
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
      // Another page than the image's, come to meanwhile: what was asked for it is broken off, and may have been too old.
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
