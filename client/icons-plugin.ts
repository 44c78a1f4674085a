import type { Plugin } from 'vite';

/** Removes what ui/create-icon.ts does not read from the icons of lucide-react: random keys, which hardly compress, and sizes. */
export const icons = (): Plugin => ({
  name: 'icons',
  transform(code, id) {
    if (!id.includes('/lucide-react/dist/esm/icons/')) return undefined;
    return { code: code.replaceAll(/,?\s*key: "[^"]*"/g, '').replace(/\s*size: 24,/, ''), map: null };
  },
});
