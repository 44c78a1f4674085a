import { urlOf } from '../lib/url-of.ts';
import { startOf } from './start-time.ts';

const id = /^[\w-]{3,64}/;
const behindPath = /^\/(?:embed|v|e|vi|shorts|live|watch)\/([^/]+)/;

function idIn(url: URL, host: string): string | undefined {
  const { pathname, searchParams, hash } = url;
  const candidates = [
    host === 'youtu.be' ? pathname.slice(1) : undefined,
    searchParams.get('v'),
    searchParams.get('vi'),
    behindPath.exec(pathname)?.[1],
    // Old channel pages: #p/u/1/<id>, #p/a/u/1/<id>
    /^#p\/(?:\w+\/)*([\w-]+)/.exec(hash)?.[1],
  ];
  for (const candidate of candidates) {
    const found = id.exec(candidate ?? '')?.[0];
    if (found && found !== 'videoseries') return found;
  }
  return undefined;
}

/** Parses links of YouTube, youtu.be and youtube-nocookie.com. @returns the embed link, or null without a video or playlist id */
export function youtube(url: URL, host: string): string | null {
  if (url.pathname === '/attribution_link') {
    const path = url.searchParams.get('u') ?? '';
    const target = urlOf(path, url.origin) ?? url;
    return target.hostname === url.hostname && target.pathname !== url.pathname ? youtube(target, host) : null;
  }
  const site = host === 'youtube-nocookie.com' ? 'www.youtube-nocookie.com' : 'www.youtube.com';
  const video = idIn(url, host);
  if (video) {
    const start = startOf(url);
    return `https://${site}/embed/${video}${start ? `?start=${start}` : ''}`;
  }
  const list = id.exec(url.searchParams.get('list') ?? '')?.[0];
  return list ? `https://${site}/embed/videoseries?list=${list}` : null;
}
