import { useEffect, useState } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import { whenIdle } from '../../lib/when-idle.ts';

const drawn = new Map<string, string | null>();

/** Decodes a thumbhash (base64) to the URL of a small blurred picture; null if it is invalid. */
export function placeholderUrl(hash: string): string | null {
  const known = drawn.get(hash);
  if (known !== undefined) return known;
  const url = draw(hash);
  if (drawn.size >= 500) drawn.clear();
  drawn.set(hash, url);
  return url;
}

function draw(hash: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(hash), (character) => character.charCodeAt(0));
    return bytes.length < 5 ? null : thumbHashToDataURL(bytes);
  } catch {
    return null;
  }
}

/** The same as a hook: decodes at once if `atOnce`, else when the page is idle, and returns null until then. */
export function usePlaceholder(hash: string, atOnce: boolean): string | null {
  const now = atOnce || drawn.has(hash);
  const [, setDrawn] = useState('');
  useEffect(() => {
    if (now) return;
    return whenIdle(() => {
      placeholderUrl(hash);
      setDrawn(hash);
    });
  }, [hash, now]);
  return now ? placeholderUrl(hash) : null;
}
