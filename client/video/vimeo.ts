import { startOf } from './start-time.ts';

const page =
  /^\/(?:videos?\/|channels\/[^/]+\/|groups\/[^/]+\/videos\/|(?:album|showcase)\/[^/]+\/video\/|ondemand\/[^/]+\/)?(\d+)(?:\/([0-9A-Za-z]+))?\/?$/;

/** Parses Vimeo's page and player links. @returns the player link, with an unlisted video's hash; null without a video id */
export function vimeo(url: URL): string | null {
  const [, video, behind] = page.exec(url.pathname) ?? [];
  if (!video) return null;
  const hash = behind ?? /^[0-9A-Za-z]+$/.exec(url.searchParams.get('h') ?? '')?.[0];
  const start = startOf(url);
  return `https://player.vimeo.com/video/${video}${hash ? `?h=${hash}` : ''}${start ? `#t=${start}s` : ''}`;
}
