import type { Plugin } from 'vite';

/** Which export of a language's file goes, by what is asked for. */
const gone: Readonly<Record<string, string>> = { first: 'later', later: 'texts' };

/** Makes two files of each language's one: `?first` has the words that every screen may need, `?later` those of the others. */
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
