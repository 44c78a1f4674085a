/** The built files of the public page: its style sheet, its script and the fonts to preload. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type PageAssets = { styles: string[]; script: string | undefined; fonts: string[] };

/** An entry of Vite's manifest (client/public-album/vite.config.ts), as far as it is needed here. */
type Built = { file: string; css?: string[]; assets?: string[] };

const ENTRY = 'public-album/album.ts';

/** @param folder of the built client. If it is not built, the page has neither style nor script. */
export function readAssets(folder: string): PageAssets {
  const manifest = join(folder, '.vite', 'public-album.json');
  if (!existsSync(manifest)) return { styles: [], script: undefined, fonts: [] };
  const entries: Record<string, Built> = JSON.parse(readFileSync(manifest, 'utf8'));
  const built = entries[ENTRY];
  if (built === undefined) throw new Error(`${manifest} has no ${ENTRY}: build the client again`);
  const { file, css = [], assets = [] } = built;
  const fonts = assets.filter((name) => name.endsWith('.woff2'));
  return { styles: css.map(pathOf), script: pathOf(file), fonts: fonts.map(pathOf) };
}

const pathOf = (file: string) => `/${file}`;
