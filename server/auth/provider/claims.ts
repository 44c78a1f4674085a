/** What the claims of a person mean here: a username, an email, a role, a quota. */
import { Value } from 'typebox/value';
import type { UserRow } from '../../../drizzle/schema.ts';
import { parseSize } from '../../config/parsing.ts';
import { RegisterBody } from '../../contract.ts';
import { ProviderProblem } from './problem.ts';
import type { ProviderSettings } from './provider-settings.ts';

export type Claims = Readonly<Record<string, unknown>>;

type Named = Pick<ProviderSettings, 'oidcRoleClaim' | 'oidcQuotaClaim'>;

/** The outer name of a claim: `realm_access.roles` is in `realm_access`. */
const outerName = (name: string) => (name.includes('://') ? name : (name.split('.')[0] ?? name));

/** The claims whose absence in the ID token makes the userinfo worth a call. */
export const wantedClaims = ({ oidcRoleClaim, oidcQuotaClaim }: Named): string[] => [
  ...['email', 'email_verified', 'preferred_username'],
  ...[oidcRoleClaim?.claim, oidcQuotaClaim].flatMap((name) => (name === undefined ? [] : outerName(name))),
];

/** A claim by its name, or by its path, such as `realm_access.roles`. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    const isInside = typeof value === 'object' && value !== null && Object.hasOwn(value, part);
    value = isInside ? (value as Claims)[part] : undefined;
  }
  return value;
}

/** @returns undefined if the provider does not decide; without the claim it is `user`, as someone who left the group has none */
export function roleOf(claims: Claims, { oidcRoleClaim: wanted }: Named): UserRow['role'] | undefined {
  if (wanted === undefined) return undefined;
  const values = [claimAt(claims, wanted.claim)].flat();
  return values.includes(wanted.value) ? 'admin' : 'user';
}

/** @returns bytes; undefined if the provider does not decide; `unreadable` for a value that is no size */
export function quotaOf(claims: Claims, { oidcQuotaClaim: name }: Named): number | 'unreadable' | undefined {
  const value = name === undefined ? undefined : claimAt(claims, name);
  if (value === undefined || value === null) return undefined;
  const text = [value].flat()[0];
  return (typeof text === 'string' || typeof text === 'number' ? parseSize(String(text)) : undefined) ?? 'unreadable';
}

const { username: Username, email: Email } = RegisterBody.properties;
const longest = 32;

/** @returns a username by the rules of the registration; undefined if nothing is left of it */
export function cleanUsername(text: string): string | undefined {
  const cleaned = text
    .slice(0, 200)
    .normalize('NFC')
    .split('@')[0]
    ?.replace(/\s+/g, '.')
    .replace(/[^\p{L}\p{M}\p{N}._-]/gu, '')
    .replace(/^[\p{M}._-]+/u, '');
  const name = [...(cleaned ?? '')].slice(0, longest).join('').slice(0, longest).toWellFormed();
  return Value.Check(Username, name) ? name : undefined;
}

/** `name`, then `name-2`, and after a few with random digits. */
export function numbered(name: string, round: number): string {
  if (round === 0) return name;
  const end = round < 5 ? `-${round + 1}` : `-${Math.floor(Math.random() * 1e6)}`;
  return `${name
    .slice(0, longest - end.length)
    .toWellFormed()
    .replaceAll('\uFFFD', '')}${end}`;
}

export function usernameOf(claims: Claims): string {
  const { preferred_username, nickname, name, email } = claims;
  for (const text of [preferred_username, nickname, name, email]) {
    const cleaned = typeof text === 'string' ? cleanUsername(text) : undefined;
    if (cleaned !== undefined) return cleaned;
  }
  return 'user';
}

/** Whether the provider has verified the email. Some send no claim about it: only OIDC_TRUST_EMAIL says that they do. */
export function isEmailVerified(
  { email_verified: claim }: Claims,
  { oidcTrustEmail }: Pick<ProviderSettings, 'oidcTrustEmail'>,
): boolean {
  return claim === undefined || claim === null ? oidcTrustEmail === 'on' : claim === true || claim === 'true';
}

/** @throws ProviderProblem */
export function emailOf(claims: Claims, settings: Pick<ProviderSettings, 'oidcTrustEmail'>): string {
  const { email } = claims;
  if (typeof email !== 'string' || !Value.Check(Email, email)) {
    throw new ProviderProblem('no-email', 'the claims contain no valid email');
  }
  if (!isEmailVerified(claims, settings)) {
    const reason =
      claims.email_verified === undefined
        ? 'the claims have no email_verified, and OIDC_TRUST_EMAIL is off'
        : 'the provider has not verified the email';
    throw new ProviderProblem('email-unverified', reason, { email });
  }
  return email;
}

/** By which its owner recognizes an identity. */
export function labelOf(claims: Claims, subject: string): string {
  const { email, preferred_username, name } = claims;
  const label = [email, preferred_username, name].find((text) => typeof text === 'string' && text.trim() !== '');
  return String(label ?? subject)
    .replace(/\p{C}/gu, '')
    .slice(0, 254)
    .toWellFormed();
}
