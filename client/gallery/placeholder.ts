import { thumbHashToDataURL } from 'thumbhash';

const drawn = new Map<string, string | null>();

/** A thumbhash (base64) as the URL of a small blurred picture; null when it is none. */
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
