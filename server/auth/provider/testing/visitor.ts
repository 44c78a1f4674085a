/** A browser without scripts: follows redirects, keeps cookies, sends forms. */
export function createVisitor() {
  const jars = new Map<string, Map<string, string>>();

  const jarOf = (origin: string) => {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };

  /** @returns the page where the redirects end */
  async function open(address: string, init: RequestInit = {}): Promise<{ url: string; text: string; status: number }> {
    const { origin } = new URL(address);
    const jar = jarOf(origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) return { url: address, text: await answer.text(), status: answer.status };
    return open(new URL(location, address).href);
  }

  /** Sends the form of a page, with these fields besides its own. */
  async function submit(page: { url: string; text: string }, fields: Record<string, string> = {}) {
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page.text) ?? [];
    const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const own = hidden.map(([, name = '', value = '']): [string, string] => [name, value]);
    const body = new URLSearchParams([...own, ...Object.entries(fields)]);
    return open(new URL(action, page.url).href, { method: 'POST', body });
  }

  const cookiesAt = (origin: string) => [...jarOf(origin)].map(([name, value]) => `${name}=${value}`).join('; ');

  return { open, submit, cookiesAt };
}
