/** Browser and system named in a User-Agent header. */
export type Agent = { browser: string | null; system: string | null };

/** Characters. Unknown names are shown as sent. */
const longest = 40;

/** `curl/8.5.0` -> `curl` */
const firstProduct = (text: string): string | null => /^[\w.-]{1,40}/.exec(text)?.[0] ?? null;

/** Versions are left out: people recognize a device by its browser, not by a number. */
export async function agentOf(text: string | null): Promise<Agent> {
  if (!text) return { browser: null, system: null };
  // Loaded on demand: only the list of sessions needs it.
  const { default: Bowser } = await import('bowser');
  const { browser, os } = Bowser.parse(text);
  const name = text.startsWith('Mozilla/') ? browser.name?.slice(0, longest) : firstProduct(text);
  return { browser: name || null, system: os.name || null };
}
