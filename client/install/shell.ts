/** Caches the page's own files, so that it opens without the server. Never caches account data. */
const prefix = 'shell-';
const page = '/index.html';

export interface ShellFiles {
  /** A hash of the whole build. */
  readonly version: string;
  /** URLs of the page and its files; the files have their hash in their name. */
  readonly files: readonly string[];
}

export function createShell({ version, files }: ShellFiles) {
  const name = prefix + version;
  const known = new Set(files);

  return {
    /** Caches all files or none: an error makes the browser retry later. */
    async store(): Promise<void> {
      const cache = await caches.open(name);
      await cache.addAll(files.map((file) => new Request(file, { cache: file === page ? 'no-cache' : 'default' })));
    },
    /** Deletes all earlier versions except the previous one, whose files pages still open may need. */
    async removeOld(): Promise<void> {
      const others = (await caches.keys()).filter((key) => key.startsWith(prefix) && key !== name);
      await Promise.all(others.slice(0, -1).map((key) => caches.delete(key)));
    },
    isFile: (pathname: string): boolean => pathname !== page && known.has(pathname),
    /** A file of the page, which never changes under its name. */
    file: async (request: Request): Promise<Response> =>
      (await caches.match(new URL(request.url).pathname, { ignoreVary: true })) ?? (await fetch(request)),
    /** The page: from the server if reachable, else from the cache. */
    async page(request: Request, preloaded: Promise<Response | undefined>): Promise<Response> {
      try {
        return (await preloaded) ?? (await fetch(request));
      } catch (unreachable) {
        const kept = await caches.match(page, { cacheName: name, ignoreVary: true });
        if (!kept) throw unreachable;
        return kept;
      }
    },
  };
}
