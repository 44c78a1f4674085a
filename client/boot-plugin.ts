import { readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { minifySync, type Plugin, type Rollup, runnerImport } from 'vite';
import { isPage, loginPath, patternOf, routes } from './routes.ts';
import { directionOf, scriptOf } from './text/direction.ts';
import type { StartWords, WordsPart } from './text/words.ts';

const source = path.join(import.meta.dirname, 'boot.js');
const placeholder = '<script src="/boot.js"></script>';
const charset = '<meta charset="utf-8" />';
const languagesFolder = 'text/languages';
const arabicFont = '/vazirmatn-arabic-';
const layout = 'layout/dashboard-layout.tsx';
const wordsParts: readonly WordsPart[] = ['start', 'auth', 'gallery', 'upload', 'later', 'settings'];

/** Places in the list of all files (Known). */
type Places = readonly number[];

/** The files of a language, and the words of the error screen, which has to work without any file. */
interface Language {
  readonly direction: 'ltr' | 'rtl';
  readonly words: Readonly<Record<WordsPart, Places>>;
  readonly fonts: readonly string[];
  readonly failed: readonly string[];
}

/** A route as boot.js matches it: a redirect has `to`, and a page that needs no login has no `login`. */
interface BootRoute {
  readonly pattern: string;
  readonly to?: string;
  readonly page?: string;
  readonly login?: true | undefined;
  readonly words?: readonly WordsPart[];
  readonly art?: true | undefined;
  /** Besides those of the language. */
  readonly fonts?: readonly string[] | undefined;
  readonly files?: Places;
}

/** Facts from the build: the API's base path, the brand art, the scripts and styles, the routes, the languages. */
interface Known {
  readonly api: string;
  readonly art: string | null;
  /** Each once, because most routes share most files. */
  readonly files: readonly string[];
  readonly routes: readonly BootRoute[];
  readonly languages: Readonly<Record<string, Language>>;
}

const modulesOf = (page: string, isGuarded = false): string[] => [
  `pages/${page}-page.tsx`,
  ...(isGuarded ? [layout] : []),
];

/** The modules of a language's parts (text/language.ts). */
const wordModules = (code: string, ...parts: WordsPart[]): string[] =>
  parts.map((part) => `${languagesFolder}/${code}.ts?${part}`);

/** A list that has each file once. `placesOf` adds files and returns their places. */
function createFileList() {
  const files: string[] = [];
  const placeOf = (file: string): number => (files.includes(file) ? files.indexOf(file) : files.push(file) - 1);
  return { files, placesOf: (names: readonly string[]): Places => names.map(placeOf) };
}

/** @param placesOf returns the places of a part's files */
const wordsWith = (placesOf: (part: WordsPart) => Places) =>
  Object.fromEntries(wordsParts.map((part) => [part, placesOf(part)])) as Record<WordsPart, Places>;

/** @param filesOf returns the first files of modules. @param arabic the files of the Arabic font */
const bootRoutes = (filesOf: (modules: readonly string[]) => Places, arabic: readonly string[]): BootRoute[] =>
  routes.map((route) => {
    const pattern = patternOf(route.path);
    if (!isPage(route)) return { pattern, to: route.to };
    const { page, words, isGuarded, hasArt, hasArabic } = route;
    const files = filesOf(modulesOf(page, isGuarded));
    return { pattern, page, words, login: isGuarded, art: hasArt, fonts: hasArabic && arabic, files };
  });

/** @param begin returns the first files of a language */
async function languagesWith(
  begin: (code: string) => Pick<Language, 'words' | 'fonts'>,
): Promise<Record<string, Language>> {
  const codes = readdirSync(path.join(import.meta.dirname, languagesFolder)).map((file) => path.parse(file).name);
  const entries = codes.map(async (code): Promise<[string, Language]> => {
    const file = path.join(import.meta.dirname, languagesFolder, `${code}.ts`);
    const { shell } = (await runnerImport<{ start: StartWords }>(file)).module.start;
    const failed = [shell.pageFailed, shell.tryAgain, shell.reload];
    return [code, { direction: directionOf(code), failed, ...begin(code) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The text of boot.js with these facts filled in. */
async function scriptWith(what: Known): Promise<string> {
  return (await readFile(source, 'utf8'))
    .replace('= __BOOT__', () => `= ${JSON.stringify(what).replaceAll('<', '\\u003c')}`)
    .replace('__LOGIN__', JSON.stringify(loginPath));
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
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(path.join(import.meta.dirname, module)));
    if (!chunk) throw new Error(`${module} is in no file: has it moved?`);
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
        const languages = await languagesWith(() => ({ words: wordsWith(() => []), fonts: [] }));
        response.end(await scriptWith({ api, art: null, files: [], routes: bootRoutes(() => [], []), languages }));
      });
    },
    async writeBundle({ dir }, bundle) {
      if (!dir) return;
      const find = (name: string) => {
        const file = Object.keys(bundle).find((fileName) => fileName.includes(name));
        return file === undefined ? null : `/${file}`;
      };
      const beside = besideEntry(bundle);
      // Every language needs the Latin font: names and links are often Latin.
      const fontsOf = (code: string) => ['/figtree-latin-', ...(scriptOf(code) === 'Arab' ? [arabicFont] : [])];
      const { files, placesOf } = createFileList();
      const spoken = await languagesWith((code) => ({
        words: wordsWith((part) => placesOf(beside(wordModules(code, part)))),
        fonts: fontsOf(code).flatMap((name) => find(name) ?? []),
      }));
      const script = await scriptWith({
        api,
        art: find('/brand-art-'),
        files,
        routes: bootRoutes((modules) => placesOf(beside(modules)), [find(arabicFont) ?? []].flat()),
        languages: spoken,
      });
      const { code } = minifySync('boot.js', script);
      const place = path.join(dir, 'index.html');
      const page = await readFile(place, 'utf8');
      if (!page.includes(placeholder) || !page.includes(charset)) throw new Error('The page has no place for boot.js.');
      const tag = `${charset}\n    <script>${code.trim()}</script>`;
      await writeFile(
        place,
        page.replace(placeholder, '').replace(charset, () => tag),
      );
      await mkdir(path.join(dir, '.vite'), { recursive: true });
      await writeFile(path.join(dir, '.vite/routes.json'), JSON.stringify(firstFiles(Object.keys(spoken), beside)));
      // For the server: the paths that exist. Any other is answered with 404.
      const patterns = routes.filter((route) => route.path !== '*').map((route) => patternOf(route.path));
      await writeFile(path.join(dir, '.vite/paths.json'), JSON.stringify(patterns));
    },
  };
}

/** For scripts/check-bundle.mjs: the scripts that each page starts with besides the entry, in each language. */
function firstFiles(codes: readonly string[], beside: (modules: readonly string[]) => string[]) {
  return routes.filter(isPage).map(({ path, page, words, isGuarded }) => ({
    path,
    starts: codes.map((code) => beside([...modulesOf(page, isGuarded), ...wordModules(code, 'start', ...words)])),
  }));
}
