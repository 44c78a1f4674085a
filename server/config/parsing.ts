/** Parsers of variables. Each returns undefined for a text that does not have its form. */
import { isIP } from 'node:net';

const units: Record<string, number> = {
  '': 1,
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
};

export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text);
  const unit = units[(match?.[2] ?? '').toUpperCase()];
  if (!match || unit === undefined) return undefined;
  const bytes = Math.floor(Number(match[1]) * unit);
  return bytes >= 1 && Number.isSafeInteger(bytes) ? bytes : undefined;
}

export function parseOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const bare = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  return bare && (url.protocol === 'http:' || url.protocol === 'https:') ? url.origin : undefined;
}

export function parseHttpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && hostname !== '' ? text : undefined;
}

export function parseOrigins(text: string): readonly string[] | undefined {
  const origins = text.split(',').map((part) => parseOrigin(part.trim()));
  return origins.every((origin) => origin !== undefined) ? origins : undefined;
}

export function parseDatabaseUrl(text: string): string | undefined {
  return /^postgres(ql)?:\/\//.test(text) ? text : undefined;
}

/** Addresses and networks in CIDR notation. No names and no "all": trusted proxies must be explicit. */
export function parseNetworks(text: string): readonly string[] | undefined {
  const networks = text.split(',').map((part) => part.trim());
  const valid = networks.every((network) => {
    const [address = '', bits, ...more] = network.split('/');
    const maxBits = isIP(address) === 6 ? 128 : 32;
    const mask = bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= maxBits);
    return isIP(address) > 0 && !address.includes('%') && mask && more.length === 0;
  });
  return valid ? networks : undefined;
}

export function parseSmtpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  return (protocol === 'smtp:' || protocol === 'smtps:') && hostname !== '' ? text : undefined;
}

/** Milliseconds. */
export function parseTime(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s)$/i.exec(text);
  if (!match) return undefined;
  const ms = Number(match[1]) * (match[2]?.toLowerCase() === 's' ? 1000 : 1);
  return ms > 0 && Number.isSafeInteger(Math.ceil(ms)) ? ms : undefined;
}

/** An address, or a name and an address. */
export function parseSender(text: string): string | undefined {
  const address = /^[^<>"\p{C}]+<([^<>]*)>$/u.exec(text)?.[1] ?? text;
  return /^[^\s@<>,;:"\p{C}]+@[^\s@<>,;:"\p{C}]+$/u.test(address) ? text : undefined;
}

/** An address, or an https page. @returns a `mailto:` or `https:` link */
export function parseContact(text: string): string | undefined {
  if (/^[^\s@<>,;:"?&%#/\p{C}]+@[^\s@<>,;:"?&%#/\p{C}]+$/u.test(text)) return `mailto:${text}`;
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  return protocol === 'https:' && !username && !password ? href : undefined;
}

const localhost = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** An issuer of OpenID Connect. Plain http is for this machine only: its answers decide who logs in. */
export function parseIssuer(text: string): string | undefined {
  if (!URL.canParse(text) || text.includes('/.well-known/')) return undefined;
  const { protocol, hostname, search, hash, username, password } = new URL(text);
  if (search || hash || username || password) return undefined;
  return protocol === 'https:' || (protocol === 'http:' && localhost.test(hostname)) ? text : undefined;
}

export function parseScopes(text: string): string | undefined {
  const scopes = text.split(/\s+/).filter((scope) => scope !== '');
  return scopes.includes('openid') && scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
    ? scopes.join(' ')
    : undefined;
}

/** `groups=gallery-admins`; without a value it is `admin`. */
export function parseRoleClaim(text: string): { claim: string; value: string } | undefined {
  const [, claim, value = 'admin'] = /^([^\s=\p{C}]{1,200})(?:=([^\p{C}]{1,200}))?$/u.exec(text) ?? [];
  return claim === undefined ? undefined : { claim, value };
}

/** 32 bytes, as 64 hexadecimal digits or in base64. */
export function parseKey(text: string): Buffer | undefined {
  const key = /^[\da-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : /^[\w+/-]{43}=?$/.test(text)
      ? Buffer.from(text, 'base64')
      : undefined;
  return key?.length === 32 ? key : undefined;
}

export function parseKeys(text: string): readonly Buffer[] | undefined {
  const keys = text.split(',').map((part) => parseKey(part.trim()));
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

export const parseHost = (text: string) => (/^[\w.:%-]+$/.test(text) ? text : undefined);

/** The URL of an S3 server; a path is kept. */
export function parseEndpoint(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, search, hash, username, password, href } = new URL(text);
  const bare = !search && !hash && !username && !password;
  return bare && (protocol === 'http:' || protocol === 'https:') ? href.replace(/\/$/, '') : undefined;
}

/** The result ends with a slash. */
export function parsePrefix(text: string): string | undefined {
  const parts = text.replace(/\/$/, '').split('/');
  return parts.every((part) => /^[\w.-]{1,64}$/.test(part) && !/^\.+$/.test(part)) && text.length <= 256
    ? `${parts.join('/')}/`
    : undefined;
}

export const matching = (form: RegExp) => (text: string) => (form.test(text) ? text : undefined);

export const wholeNumber = (from: number, to: number) => (text: string) =>
  /^\d{1,15}$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : undefined;

export const oneOf =
  <T extends string>(...values: T[]) =>
  (text: string) =>
    values.find((value) => value === text);
