import type { Loaders } from './language.ts';

/** The words of the sign-in provider. They are in no other module, so that only its own parts load them. */
export const providerWords: Loaders = import.meta.glob<object>('./languages/*.ts', {
  query: '?provider',
  import: 'provider',
});
