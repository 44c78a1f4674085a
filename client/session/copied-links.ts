/** Links of images that the account copied in this browser: others may know what it shares under a password later. */
import { copied } from '../lib/copy-text.ts';
import { own } from './own.ts';
import { session } from './session.ts';

const stored = own.value('copied-links');

/** The oldest are forgotten first. */
const MOST = 2000;

const keysIn = (text: string): string[] => [...text.matchAll(/\/i\/([\w-]{22})/g)].map(([, key = '']) => key);

/** The newest first. */
function read(): readonly string[] {
  const before = stored.get();
  return [...new Set([...keysIn(copied.toReversed().join(' ')), ...(Array.isArray(before) ? before : [])])].slice(
    0,
    MOST,
  );
}

export const hasCopied = (): boolean => read().length > 0;

/** The images whose current link was copied. */
export function copiedAmong<T extends { readonly url: string }>(images: readonly T[]): readonly T[] {
  const keys = new Set(read());
  return images.filter(({ url }) => keysIn(url).some((key) => keys.has(key)));
}

// Keeps what was copied beyond the page.
window.addEventListener('pagehide', () => {
  if (copied.length > 0) stored.set(read());
});
session.onEnd(() => {
  copied.length = 0;
});
