import { startOf } from './start-time.ts';

const page = /^\/(?:[a-z]{2}\/)?(?:embed\/|swf\/)?video\/([0-9A-Za-z]+)/;
const id = /^[0-9A-Za-z]+/;

/** Parses Dailymotion's page, hub, player and short links. @returns the embed link, or null without a video id */
export function dailymotion(url: URL, host: string): string | null {
  const { pathname, searchParams, hash } = url;
  const named = host === 'dai.ly' ? pathname.slice(1) : page.exec(pathname)?.[1];
  const asked = pathname.startsWith('/player') ? searchParams.get('video') : null;
  const behind = new URLSearchParams(hash.slice(1)).get('video');
  const video = id.exec(behind ?? named ?? asked ?? '')?.[0];
  if (!video) return null;
  const start = startOf(url);
  return `https://www.dailymotion.com/embed/video/${video}${start ? `?start=${start}` : ''}`;
}
