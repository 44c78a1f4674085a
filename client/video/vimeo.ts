import { startOf } from './start-time.ts';

const page =
  /^\/(?:videos?\/|channels\/[^/]+\/|groups\/[^/]+\/videos\/|(?:album|showcase)\/[^/]+\/video\/|ondemand\/[^/]+\/)?(\d+)(?:\/([0-9A-Za-z]+))?\/?$/;

/** Vimeo's page and player links. @returns the player link, with the hash of an unlisted video; null where no video is named */
export function vimeo(url: URL): string | null {
  const [, video, behind] = page.exec(url.pathname) ?? [];
  if (!video) return null;
  const hash = behind ?? /^[0-9A-Za-z]+$/.exec(url.searchParams.get('h') ?? '')?.[0];
  const start = startOf(url);
  return `https://player.vimeo.com/video/${video}${hash ? `?h=${hash}` : ''}${start ? `#t=${start}s` : ''}`;
}
