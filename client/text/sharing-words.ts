import type { Loaders } from './language.ts';

/** The words of links and shares. They are in no other module, so that they load with the parts that need them. */
export const sharingWords: Loaders = import.meta.glob<object>('./languages/*.ts', {
  query: '?sharing',
  import: 'sharing',
});
