import { dailymotion } from './dailymotion.ts';
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
  'twitch.tv': twitch,
  'player.twitch.tv': twitch,
  'clips.twitch.tv': twitch,
};

/** The provider's own name for a host: without `www.` and the names of its sites for phones and music. */
function plainHost(hostname: string): string {
  return hostname.toLowerCase().replace(/^(?:www|m|music|touch|go)\./, '');
}

/** Control characters and line ends, which a browser drops from the middle of an address: `java\nscript:` */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const hidden = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/;

/** A text as an address: http and https only, without a login; known providers also without their scheme. */
function parseAddress(text: string): URL | null {
  if (hidden.test(text)) return null;
  const host = /^([a-z0-9.-]+)\//i.exec(text)?.[1];
  const address = host && Object.hasOwn(providers, plainHost(host)) ? `https://${text}` : text;
  if (!/^https?:\/\/[^/\\]/i.test(address)) return null;
  const url = URL.canParse(address) ? new URL(address) : null;
  return url && /^https?:$/.test(url.protocol) && url.hostname && !url.username && !url.password ? url : null;
}

/**
 * What the player's frame may show for a pasted text. `page`: the location of the page that frames it.
 * @returns a known provider's embed link, rebuilt from the video's id alone; any other http or https address as it is;
 * null for everything else, and for this app's own addresses: framed, they could reach out to the page around them
 */
export function videoSource(text: string, page: { origin: string; hostname: string }): string | null {
  const typed = text.trim();
  const url = parseAddress(typed);
  if (!url || url.origin === page.origin) return null;
  const host = plainHost(url.hostname);
  const embed = Object.hasOwn(providers, host) ? providers[host]?.(url, host, page.hostname) : null;
  return embed ?? (/^https?:/i.test(typed) ? typed : url.href);
}
