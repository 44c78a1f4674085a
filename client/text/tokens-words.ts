import type { Loaders } from './language.ts';

/** The words of the API tokens. They are in no other module, so that no other page loads the names of their files. */
export const tokensWords: Loaders = import.meta.glob<object>('./languages/*.ts', {
  query: '?tokens',
  import: 'tokens',
});
