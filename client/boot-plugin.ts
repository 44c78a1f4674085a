import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { minifySync, type Plugin, type Rollup } from 'vite';
import { directionOf, scriptOf } from './text/direction.ts';

const source = path.join(import.meta.dirname, 'boot.js');
const placeholder = '<script src="/boot.js"></script>';
const charset = '<meta charset="utf-8" />';

/** The modules that each screen loads besides the entry, by the screen's name in boot.js. */
const screens: Readonly<Record<string, readonly string[]>> = {
  login: ['pages/login-page.tsx'],
  register: ['pages/register-page.tsx'],
  upload: ['pages/upload-page.tsx'],
  images: ['pages/gallery-page.tsx'],
  video: ['pages/video-page.tsx'],
  settings: ['pages/settings-page.tsx'],
  forgot: ['pages/forgot-page.tsx'],
  reset: ['pages/reset-page.tsx'],
  email: ['pages/reset-page.tsx'],
  albums: ['pages/albums-page.tsx'],
  'albums/one': ['pages/album-page.tsx'],
  lost: ['pages/not-found-page.tsx'],
};

/** The first files of a language: its words (a separate file, with its imports) and the fonts of its script. */
interface Language {
  readonly direction: 'ltr' | 'rtl';
  readonly words: readonly string[];
  readonly fonts: readonly string[];
}

/** Facts from the build: the API's base path, the brand art, the files of each screen, the languages. */
interface Known {
  readonly api: string;
  readonly art: string | null;
  readonly parts: Readonly<Record<string, readonly string[]>>;
  readonly languages: Readonly<Record<string, Language>>;
}

const languages = 'text/languages';

/** @param begin returns the first files of a language */
function languagesWith(begin: (code: string) => Omit<Language, 'direction'>): Record<string, Language> {
  const codes = readdirSync(path.join(import.meta.dirname, languages)).map((file) => path.parse(file).name);
  return Object.fromEntries(codes.map((code) => [code, { direction: directionOf(code), ...begin(code) }]));
}

/** The text of boot.js with these facts filled in. */
async function scriptWith(what: Known): Promise<string> {
  return (await readFile(source, 'utf8')).replace(
    '= __BOOT__',
    () => `= ${JSON.stringify(what).replaceAll('<', '\\u003c')}`,
  );
}

/** The files of chunks, with their static imports and styles. */
function filesOf(bundle: Rollup.OutputBundle, names: Iterable<string>, files = new Set<string>()): Set<string> {
  for (const name of names) {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || files.has(name)) continue;
    files.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
    filesOf(bundle, chunk.imports, files);
  }
  return files;
}

/** @returns a function that lists the files modules need besides the entry, as URLs */
function besideEntry(bundle: Rollup.OutputBundle): (modules: readonly string[]) => string[] {
  const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
  const chunkOf = (module: string) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === path.join(import.meta.dirname, module));
    if (!chunk) throw new Error(`${module} is not a separate chunk: has it moved?`);
    return chunk.fileName;
  };
  const first = filesOf(
    bundle,
    chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName),
  );
  return (modules) =>
    [...filesOf(bundle, modules.map(chunkOf))].filter((file) => !first.has(file)).map((file) => `/${file}`);
}

/** Inlines boot.js in the page, so that it needs no request: right after the charset, which must be near the top. */
export function boot(): Plugin {
  let api = '/api';
  return {
    name: 'boot',
    configResolved({ env }) {
      api = (env.VITE_API_URL || api).replace(/\/+$/, '');
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src: '/boot.js' }, injectTo: 'head-prepend' }],
    },
    configureServer(server) {
      server.middlewares.use('/boot.js', async (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript');
        const spoken = languagesWith(() => ({ words: [], fonts: [] }));
        response.end(await scriptWith({ api, art: null, parts: { lost: [] }, languages: spoken }));
      });
    },
    async writeBundle({ dir }, bundle) {
      if (!dir) return;
      const find = (name: string) => {
        const file = Object.keys(bundle).find((fileName) => fileName.includes(name));
        return file === undefined ? null : `/${file}`;
      };
      const beside = besideEntry(bundle);
      const parts = Object.fromEntries(Object.entries(screens).map(([screen, modules]) => [screen, beside(modules)]));
      // Every language needs the Latin font: names and links are often Latin.
      const fontsOf = (code: string) => [
        '/figtree-latin-',
        ...(scriptOf(code) === 'Arab' ? ['/vazirmatn-arabic-'] : []),
      ];
      const spoken = languagesWith((code) => ({
        words: beside([`${languages}/${code}.ts?first`]),
        fonts: fontsOf(code).flatMap((name) => find(name) ?? []),
      }));
      const script = await scriptWith({ api, art: find('/brand-art-'), parts, languages: spoken });
      const { code } = minifySync('boot.js', script);
      const place = path.join(dir, 'index.html');
      const page = await readFile(place, 'utf8');
      if (!page.includes(placeholder) || !page.includes(charset)) throw new Error('The page has no place for boot.js.');
      const tag = `${charset}\n    <script>${code.trim()}</script>`;
      await writeFile(
        place,
        page.replace(placeholder, '').replace(charset, () => tag),
      );
    },
  };
}
