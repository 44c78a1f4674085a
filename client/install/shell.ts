/** The page's own files, kept so that it opens without the server. Nothing that an account holds is ever put there. */
const prefix = 'shell-';
const page = '/index.html';

export interface ShellFiles {
  /** A hash of all that the build made. */
  readonly version: string;
  /** Addresses of the page and of the files it is made of; those hold their hash in their name. */
  readonly files: readonly string[];
}

export function createShell({ version, files }: ShellFiles) {
  const name = prefix + version;
  const known = new Set(files);

  return {
    /** All of the files, or where one cannot be had none: an error, and the browser tries again another time. */
    async store(): Promise<void> {
      const cache = await caches.open(name);
      await cache.addAll(files.map((file) => new Request(file, { cache: file === page ? 'no-cache' : 'default' })));
    },
    /** Of earlier versions all but the one just before: pages that still stand open go on with its files. */
    async removeOld(): Promise<void> {
      const others = (await caches.keys()).filter((key) => key.startsWith(prefix) && key !== name);
      await Promise.all(others.slice(0, -1).map((key) => caches.delete(key)));
    },
    isFile: (pathname: string): boolean => pathname !== page && known.has(pathname),
    /** A file of the page, which never changes under its name. */
    file: async (request: Request): Promise<Response> =>
      (await caches.match(new URL(request.url).pathname, { ignoreVary: true })) ?? (await fetch(request)),
    /** The page, from the server as long as it can be reached. */
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
