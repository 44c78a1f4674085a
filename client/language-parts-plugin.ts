import type { Plugin } from 'vite';

/** The export to remove from a language's file, by the query. */
const gone: Readonly<Record<string, string>> = { first: 'later', later: 'texts' };

/** Splits each language's file in two: `?first` has the words every screen may need, `?later` the others. */
export function languageParts(): Plugin {
  return {
    name: 'language-parts',
    enforce: 'pre',
    transform(code, id) {
      const [, part = ''] = /[\\/]text[\\/]languages[\\/][^\\/?]+\.ts\?(first|later)$/.exec(id) ?? [];
      const name = gone[part];
      if (name === undefined) return undefined;
      const parted = code.replace(`export const ${name}`, `const ${name}`);
      if (parted === code) throw new Error(`${id} has no export "${name}".`);
      return { code: parted, map: null };
    },
  };
}
