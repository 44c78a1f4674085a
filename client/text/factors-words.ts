import type { Loaders } from './language.ts';

/** The words of second factors. They are in no other module, so that no other page loads the names of their files. */
export const factorsWords: Loaders = import.meta.glob<object>('./languages/*.ts', {
  query: '?factors',
  import: 'factors',
});
