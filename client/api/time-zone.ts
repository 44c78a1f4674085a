/**
 * The zone as the server takes it: an IANA name. Browsers also report offsets (`+05:30`), `Etc/Unknown` or nothing, and a search in
 * UTC is better than none.
 */
export const namedZone = (timeZone: string | undefined): { time_zone?: string } =>
  timeZone !== undefined && /^[a-z]/i.test(timeZone) && timeZone !== 'Etc/Unknown' ? { time_zone: timeZone } : {};
