import { startOf } from './start-time.ts';

const channelName = /^\w{3,25}$/;
const clipName = /^[\w-]{3,120}$/;
/** First path segments of Twitch's own pages, which are not channels. */
const reserved = new Set(
  'directory downloads inventory jobs login p popout prime search settings signup store subscriptions turbo u videos wallet'.split(
    ' ',
  ),
);

/** Parses Twitch's links to a recording, a clip or a channel. Its player needs the host name of the framing page. */
export function twitch(url: URL, host: string, parent: string): string | null {
  const by = `parent=${encodeURIComponent(parent)}`;
  const parts = url.pathname.split('/').filter(Boolean);
  const { searchParams } = url;

  const clip =
    host === 'clips.twitch.tv' ? (searchParams.get('clip') ?? parts[0]) : parts[1] === 'clip' ? parts[2] : undefined;
  if (clip && clip !== 'embed' && clipName.test(clip)) return `https://clips.twitch.tv/embed?clip=${clip}&${by}`;
  if (host === 'clips.twitch.tv') return null;

  const recording = parts[0] === 'videos' ? parts[1] : /^v(?:ideo)?$/.test(parts[1] ?? '') ? parts[2] : undefined;
  const video = /^v?(\d+)$/.exec(recording ?? searchParams.get('video') ?? '')?.[1];
  if (video) {
    const start = startOf(url);
    return `https://player.twitch.tv/?video=v${video}&${by}${start ? `&time=${start}s` : ''}`;
  }
  const channel = host === 'player.twitch.tv' ? searchParams.get('channel') : parts[0];
  if (!channel || parts.length > 1 || !channelName.test(channel) || reserved.has(channel.toLowerCase())) return null;
  return `https://player.twitch.tv/?channel=${channel}&${by}`;
}
