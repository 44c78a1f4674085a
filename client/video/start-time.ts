/** Parses a start time to seconds: `90`, `90s`, `1m30s`, `1h2m3s`; 0 for anything else. */
export function startSeconds(text: string | null | undefined): number {
  const match = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(text ?? '');
  if (!match) return 0;
  const [, hours = '0', minutes = '0', seconds = '0'] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** The start time of a link, from its query (`t`, `start`, `time`, `time_continue`) or its fragment (`#t=1m`). */
export function startOf(url: URL): number {
  const behind = new URLSearchParams(url.hash.slice(1));
  for (const query of [url.searchParams, behind])
    for (const name of ['t', 'start', 'time', 'time_continue']) {
      const seconds = startSeconds(query.get(name));
      if (seconds > 0) return seconds;
    }
  return 0;
}
