import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { minifySync, type Plugin, type Rollup } from 'vite';
import { directionOf, scriptOf } from './text/direction.ts';

const source = path.join(import.meta.dirname, 'boot.js');
const placeholder = '<script src="/boot.js"></script>';
const charset = '<meta charset="utf-8" />';

/** What each screen loads beside the entry, by the name that boot.js gives it. */
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

/** What a language begins with: its words (in a file of their own and what that imports), and the fonts of its script. */
interface Language {
  readonly direction: 'ltr' | 'rtl';
  readonly words: readonly string[];
  readonly fonts: readonly string[];
}

/** What only the build knows: the base of the calls, the brand art, the files of each screen, the languages there are. */
interface Known {
  readonly api: string;
  readonly art: string | null;
  readonly parts: Readonly<Record<string, readonly string[]>>;
  readonly languages: Readonly<Record<string, Language>>;
}

const languages = 'text/languages';

/** @param begin the files that a language begins with */
function languagesWith(begin: (code: string) => Omit<Language, 'direction'>): Record<string, Language> {
  const codes = readdirSync(path.join(import.meta.dirname, languages)).map((file) => path.parse(file).name);
  return Object.fromEntries(codes.map((code) => [code, { direction: directionOf(code), ...begin(code) }]));
}

/** boot.js with what it has to know. */
async function scriptWith(what: Known): Promise<string> {
  return (await readFile(source, 'utf8')).replace(
    '= __BOOT__',
    () => `= ${JSON.stringify(what).replaceAll('<', '\\u003c')}`,
  );
}

/** The files of chunks, of all that they import statically, and of their styles. */
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

/** @returns what some modules begin with beside the entry, as addresses */
function besideEntry(bundle: Rollup.OutputBundle): (modules: readonly string[]) => string[] {
  const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
  const chunkOf = (module: string) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === path.join(import.meta.dirname, module));
    if (!chunk) throw new Error(`${module} is no chunk of its own: has it moved?`);
    return chunk.fileName;
  };
  const first = filesOf(
    bundle,
    chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName),
  );
  return (modules) =>
    [...filesOf(bundle, modules.map(chunkOf))].filter((file) => !first.has(file)).map((file) => `/${file}`);
}

/** Puts boot.js into the page, so that nothing has to arrive before it: first of all, and after the charset, which must stand near the top. */
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
      // The Latin font is drawn with in every language: names and links are often Latin.
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
