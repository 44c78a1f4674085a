/** What the form of a new token may offer, and what it sends. */
import type { NewApiToken, ProfileProgram, Scope } from '../../../server/contract.ts';

/** In the order of the form. The types keep both complete. */
export const scopes = Object.keys({
  'images:upload': true,
  'images:read': true,
  'images:write': true,
  'images:delete': true,
  'originals:read': true,
  'albums:read': true,
  'albums:write': true,
  'albums:share': true,
} satisfies Record<Scope, true>) as Scope[];

const programs = Object.keys({
  sharex: true,
  flameshot: true,
  ksnip: true,
  picgo: true,
  curl: true,
  ios: true,
  cli: true,
} satisfies Record<ProfileProgram, true>) as ProfileProgram[];

export type Lifetime = '1d' | '7d' | '30d' | '90d' | '1y' | 'never';

export const lifetimes: readonly Lifetime[] = ['1d', '7d', '30d', '90d', '1y', 'never'];

export type ImageLifetime = '1h' | '1d' | '7d' | '30d' | '1y' | 'never';

export const imageLifetimes: readonly ImageLifetime[] = ['never', '1h', '1d', '7d', '30d', '1y'];

export interface TokenChoice {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Undefined until one is chosen. */
  readonly program: ProfileProgram | undefined;
  readonly album: string | undefined;
  readonly lifetime: Lifetime | undefined;
  /** Of the images that are uploaded with the token. */
  readonly imageLifetime: ImageLifetime;
}

/** The programs that can work with these scopes: all but the command line only upload. */
export const programsFor = (chosen: readonly Scope[]): readonly ProfileProgram[] =>
  chosen.includes('images:upload') ? programs : programs.filter((program) => program === 'cli');

/** A token that can only upload does little harm. */
export const lifetimeOf = ({ lifetime, scopes }: Pick<TokenChoice, 'lifetime' | 'scopes'>): Lifetime =>
  lifetime ?? (scopes.every((scope) => scope === 'images:upload') ? 'never' : '90d');

export const programOf = ({ program, scopes }: Pick<TokenChoice, 'program' | 'scopes'>): ProfileProgram | undefined =>
  program && programsFor(scopes).includes(program) ? program : undefined;

/** Whether the server wants a proof of the owner for it. */
export const needsProof = ({ scopes, expires_in }: NewApiToken): boolean =>
  expires_in === null || scopes.some((scope) => scope !== 'images:upload');

/** @param language of the steps for a program that cannot import a file */
export function payloadOf(choice: TokenChoice, language: NewApiToken['language']): NewApiToken {
  const lifetime = lifetimeOf(choice);
  return {
    name: choice.name,
    scopes: [...choice.scopes],
    expires_in: lifetime === 'never' ? null : lifetime,
    album: choice.album ?? null,
    images_expire_in: choice.imageLifetime === 'never' ? null : choice.imageLifetime,
    profile: programOf(choice) ?? null,
    ...(language ? { language } : {}),
  };
}
