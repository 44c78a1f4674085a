import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';

const source = path.join(import.meta.dirname, 'boot.js');
const placeholder = '/boot.js';

/** Gives boot.js a hashed name and the built name of the brand art, so that it may be cached for ever like the rest. */
export function boot(): Plugin {
  return {
    name: 'boot',
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src: placeholder }, injectTo: 'head-prepend' }],
    },
    configureServer(server) {
      server.middlewares.use(placeholder, async (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript');
        response.end(await readFile(source));
      });
    },
    async writeBundle({ dir }, bundle) {
      if (!dir) return;
      const art = Object.values(bundle).find((part) => part.fileName.includes('/brand-art-'));
      const script = (await readFile(source, 'utf8')).replace('__BRAND_ART__', art ? `/${art.fileName}` : '__NONE__');
      const name = `assets/boot-${createHash('sha256').update(script).digest('base64url').slice(0, 8)}.js`;
      const page = path.join(dir, 'index.html');
      await writeFile(path.join(dir, name), script);
      await writeFile(page, (await readFile(page, 'utf8')).replace(`"${placeholder}"`, `"/${name}"`));
    },
  };
}
