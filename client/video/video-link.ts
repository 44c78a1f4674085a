import { urlOf } from '../lib/url-of.ts';
import { dailymotion } from './dailymotion.ts';
import { drive } from './drive.ts';
import { twitch } from './twitch.ts';
import { vimeo } from './vimeo.ts';
import { youtube } from './youtube.ts';

type Embed = (url: URL, host: string, parent: string) => string | null;

const providers: Record<string, Embed> = {
  'youtube.com': youtube,
  'youtube-nocookie.com': youtube,
  'youtu.be': youtube,
  'vimeo.com': vimeo,
  'player.vimeo.com': vimeo,
  'dailymotion.com': dailymotion,
  'geo.dailymotion.com': dailymotion,
  'dai.ly': dailymotion,
  'drive.google.com': drive,
  'docs.google.com': drive,
  'twitch.tv': twitch,
  'player.twitch.tv': twitch,
  'clips.twitch.tv': twitch,
};

/** The provider's host name without `www.` and the prefixes of its mobile and music sites. */
function plainHost(hostname: string): string {
  return hostname.toLowerCase().replace(/^(?:www|m|music|touch|go)\./, '');
}

/** Control characters and line breaks, which browsers drop from a URL: `java\nscript:` */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const hidden = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/;

/** In HTML, the address of a frame or of a video. */
const source = /<(?:iframe|embed|video|source)\b[^>]*?\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** The link in a pasted text: the address in an embed code, or else the text itself. */
export function linkIn(text: string): string {
  const typed = text.trim();
  const [, ...written] = typed.startsWith('<') ? (source.exec(typed) ?? []) : [];
  const address = written
    .find((each) => each !== undefined)
    ?.replaceAll('&amp;', '&')
    .trim();
  return address?.replace(/^\/\//, 'https://') ?? typed;
}

/** Parses a text as an http(s) URL without credentials; links of known providers may omit the scheme. */
function parseAddress(text: string): URL | null {
  if (hidden.test(text)) return null;
  const host = /^([a-z0-9.-]+)\//i.exec(text)?.[1];
  const address = host && Object.hasOwn(providers, plainHost(host)) ? `https://${text}` : text;
  if (!/^https?:\/\/[^/\\]/i.test(address)) return null;
  const url = urlOf(address);
  return url && /^https?:$/.test(url.protocol) && url.hostname && !url.username && !url.password ? url : null;
}

/**
 * Returns the URL that the player's frame may load for a pasted link or embed code. `page`: the location of the framing page.
 * @returns a known provider's embed link, rebuilt from the video's id alone; any other http(s) URL as it is; null for
 * everything else, and for this app's own URLs, which could reach the page around the frame
 */
export function videoSource(text: string, page: { origin: string; hostname: string }): string | null {
  const typed = linkIn(text);
  const url = parseAddress(typed);
  if (!url || url.origin === page.origin) return null;
  const host = plainHost(url.hostname);
  const embed = Object.hasOwn(providers, host) ? providers[host]?.(url, host, page.hostname) : null;
  return embed ?? (/^https?:/i.test(typed) ? typed : url.href);
}
