import type { Loaders } from './language.ts';

/** The words of the administrator's page. */
export const administrationWords: Loaders = import.meta.glob<object>('./languages/*.ts', {
  query: '?administration',
  import: 'administration',
});
