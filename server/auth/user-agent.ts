/** What a program says of itself, in plain names. */
export type Agent = { browser: string | null; system: string | null };

/** Characters: what is not known is told in its own words. */
const longest = 40;

/** `curl/8.5.0` -> `curl` */
const firstProduct = (text: string): string | null => /^[\w.-]{1,40}/.exec(text)?.[0] ?? null;

/** Versions are left out: who looks for a device of theirs knows its browser, and no number. */
export async function agentOf(text: string | null): Promise<Agent> {
  if (!text) return { browser: null, system: null };
  // Not with the start: only who opens the list of sessions needs it.
  const { default: Bowser } = await import('bowser');
  const { browser, os } = Bowser.parse(text);
  const name = text.startsWith('Mozilla/') ? browser.name?.slice(0, longest) : firstProduct(text);
  return { browser: name || null, system: os.name || null };
}
