/** The environment, read once into a frozen Config. Every variable's name, form and default stands here. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';

/** A variable that is wrong. The message is one line: the name, the value's form, and what was given. */
export class ConfigError extends Error {
  readonly code = 'CONFIG';
}

type Environment = Readonly<Record<string, string | undefined>>;

type Variable<T> = {
  form: string;
  fallback: T;
  /** Answers undefined for a text that has not the form. */
  parse: (text: string) => T | undefined;
  /** A secret is never repeated in a message. */
  secret?: boolean;
};

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

function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text);
  const unit = units[(match?.[2] ?? '').toUpperCase()];
  if (!match || unit === undefined) return undefined;
  const bytes = Math.floor(Number(match[1]) * unit);
  return bytes >= 1 && Number.isSafeInteger(bytes) ? bytes : undefined;
}

function parseOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const bare = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  return bare && (url.protocol === 'http:' || url.protocol === 'https:') ? url.origin : undefined;
}

function parseHttpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && hostname !== '' ? text : undefined;
}

function parseOrigins(text: string): readonly string[] | undefined {
  const origins = text.split(',').map((part) => parseOrigin(part.trim()));
  return origins.every((origin) => origin !== undefined) ? origins : undefined;
}

function parseDatabaseUrl(text: string): string | undefined {
  return /^postgres(ql)?:\/\//.test(text) ? text : undefined;
}

/** Addresses and networks in CIDR notation. No names and no "all": who may say where a call comes from must be known. */
function parseNetworks(text: string): readonly string[] | undefined {
  const networks = text.split(',').map((part) => part.trim());
  const valid = networks.every((network) => {
    const [address = '', bits, ...more] = network.split('/');
    const most = isIP(address) === 6 ? 128 : 32;
    const mask = bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
    return isIP(address) > 0 && !address.includes('%') && mask && more.length === 0;
  });
  return valid ? networks : undefined;
}

function parseSmtpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  return (protocol === 'smtp:' || protocol === 'smtps:') && hostname !== '' ? text : undefined;
}

/** Milliseconds. */
function parseTime(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s)$/i.exec(text);
  if (!match) return undefined;
  const ms = Number(match[1]) * (match[2]?.toLowerCase() === 's' ? 1000 : 1);
  return ms > 0 && Number.isSafeInteger(Math.ceil(ms)) ? ms : undefined;
}

/** An address, or a name and an address. */
function parseSender(text: string): string | undefined {
  const address = /^[^<>"\p{C}]+<([^<>]*)>$/u.exec(text)?.[1] ?? text;
  return /^[^\s@<>,;:"\p{C}]+@[^\s@<>,;:"\p{C}]+$/u.test(address) ? text : undefined;
}

/** 32 bytes, as 64 hexadecimal digits or in base64. */
function parseKey(text: string): Buffer | undefined {
  const key = /^[\da-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : /^[\w+/-]{43}=?$/.test(text)
      ? Buffer.from(text, 'base64')
      : undefined;
  return key?.length === 32 ? key : undefined;
}

function parseKeys(text: string): readonly Buffer[] | undefined {
  const keys = text.split(',').map((part) => parseKey(part.trim()));
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

const parseHost = (text: string) => (/^[\w.:%-]+$/.test(text) ? text : undefined);
/** Where an S3 server is: its path, where it has one, is kept. */
function parseEndpoint(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, search, hash, username, password, href } = new URL(text);
  const bare = !search && !hash && !username && !password;
  return bare && (protocol === 'http:' || protocol === 'https:') ? href.replace(/\/$/, '') : undefined;
}

/** Ends with a slash. */
function parsePrefix(text: string): string | undefined {
  const parts = text.replace(/\/$/, '').split('/');
  return parts.every((part) => /^[\w.-]{1,64}$/.test(part) && !/^\.+$/.test(part)) && text.length <= 256
    ? `${parts.join('/')}/`
    : undefined;
}

const matching = (form: RegExp) => (text: string) => (form.test(text) ? text : undefined);

const wholeNumber = (from: number, to: number) => (text: string) =>
  /^\d{1,15}$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : undefined;

const oneOf =
  <T extends string>(...values: T[]) =>
  (text: string) =>
    values.find((value) => value === text);

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const most = Number.MAX_SAFE_INTEGER;

function variable<T>(form: string, fallback: T, parse: (text: string) => T | undefined, secret = false): Variable<T> {
  return { form, fallback, parse, secret };
}

const variables = {
  host: variable('a host name or an address', '127.0.0.1', parseHost),
  port: variable('a whole number from 0 to 65535', 3000, wholeNumber(0, 65535)),
  dataDir: variable('the path of a folder', resolve('data'), (text) => resolve(text)),
  databaseUrl: variable<string | undefined>('a postgres:// URL', undefined, parseDatabaseUrl, true),
  databaseDirectUrl: variable<string | undefined>('a postgres:// URL', undefined, parseDatabaseUrl, true),
  jwtSecret: variable<string | undefined>(
    'a secret of at least 32 bytes',
    undefined,
    (text) => (Buffer.byteLength(text) >= 32 ? text : undefined),
    true,
  ),
  encryptionKey: variable<Buffer | undefined>(
    '32 random bytes in base64 or hex, as from "openssl rand -base64 32"',
    undefined,
    parseKey,
    true,
  ),
  encryptionKeyPrevious: variable<readonly Buffer[]>(
    'keys of 32 bytes in base64 or hex, separated by commas',
    [],
    parseKeys,
    true,
  ),
  publicUrl: variable<string | undefined>(
    'an http or https origin like https://img.example.com',
    undefined,
    parseOrigin,
  ),
  smtpUrl: variable<string | undefined>(
    'a URL like smtps://user:password@mail.example.com',
    undefined,
    parseSmtpUrl,
    true,
  ),
  mailFrom: variable<string | undefined>('an address like Gallery <gallery@example.com>', undefined, parseSender),
  corsOrigin: variable<readonly string[]>('http or https origins, separated by commas', [], parseOrigins),
  registration: variable<'open' | 'closed'>('open or closed', 'open', oneOf('open', 'closed')),
  maxFileSize: variable('a size like 64MiB', 64 * 2 ** 20, parseSize),
  maxFiles: variable('a whole number from 1 to 5000', 100, wholeNumber(1, 5000)),
  maxPixels: variable('a whole number of pixels from 1', 100_000_000, wholeNumber(1, most)),
  cacheSize: variable('a size like 64MiB, or 0 for none', 64 * 2 ** 20, (text) => (text === '0' ? 0 : parseSize(text))),
  pageSize: variable('a whole number from 1 to 1000', 24, wholeNumber(1, 1000)),
  quota: variable<number | undefined>('a size like 10GB', undefined, parseSize),
  quotaImages: variable<number | undefined>('a whole number of images from 1', undefined, wholeNumber(1, most)),
  stripLocation: variable<'on' | 'off'>('on or off', 'on', oneOf('on', 'off')),
  renditionsAhead: variable<'on' | 'off'>('on or off', 'on', oneOf('on', 'off')),
  trustProxy: variable<readonly string[] | undefined>(
    'the addresses or networks of your proxies, separated by commas, like 127.0.0.1,10.0.0.0/8',
    undefined,
    parseNetworks,
  ),
  storage: variable<'disk' | 's3'>('disk or s3', 'disk', oneOf('disk', 's3')),
  storageFallback: variable<'disk' | 's3' | undefined>('disk or s3', undefined, oneOf('disk', 's3')),
  s3Endpoint: variable<string | undefined>('a URL like https://s3.example.com', undefined, parseEndpoint),
  s3Region: variable('the name of a region like eu-central-1', 'us-east-1', matching(/^[\w-]{1,64}$/)),
  s3Bucket: variable<string | undefined>('the name of a bucket', undefined, matching(/^[A-Za-z0-9][\w.-]{2,62}$/)),
  s3AccessKeyId: variable<string | undefined>('a key without spaces', undefined, matching(/^\S{1,256}$/), true),
  s3SecretAccessKey: variable<string | undefined>('a key without spaces', undefined, matching(/^\S{1,256}$/), true),
  s3ForcePathStyle: variable<'on' | 'off' | undefined>('on or off', undefined, oneOf('on', 'off')),
  s3Prefix: variable('a path like gallery/', '', parsePrefix),
  linkMode: variable<'serve' | 'redirect'>('serve or redirect', 'serve', oneOf('serve', 'redirect')),
  cdnUrl: variable<string | undefined>('an http or https origin like https://cdn.example.com', undefined, parseOrigin),
  maxConnections: variable('a whole number from 10 to 1000000', 5000, wholeNumber(10, 1_000_000)),
  workers: variable('a whole number from 1 to 128', 1, wholeNumber(1, 128)),
  rateLimit: variable<'on' | 'off'>('on or off', 'on', oneOf('on', 'off')),
  metricsPort: variable<number | undefined>('a whole number from 0 to 65535', undefined, wholeNumber(0, 65535)),
  metricsHost: variable('a host name or an address', '127.0.0.1', parseHost),
  slowQuery: variable<number | undefined>('a time like 500ms or 2s, or off', undefined, (text) =>
    text === 'off' ? Number.POSITIVE_INFINITY : parseTime(text),
  ),
  otelExporterOtlpEndpoint: variable<string | undefined>('an http or https URL', undefined, parseHttpUrl, true),
  otelExporterOtlpTracesEndpoint: variable<string | undefined>('an http or https URL', undefined, parseHttpUrl, true),
  otelExporterOtlpProtocol: variable<'http/protobuf' | 'http/json'>(
    'http/protobuf or http/json',
    'http/protobuf',
    oneOf('http/protobuf', 'http/json'),
  ),
  logLevel: variable<(typeof logLevels)[number]>(`one of ${logLevels.join(', ')}`, 'info', oneOf(...logLevels)),
};

type Variables = typeof variables;
export type Config = Readonly<{ [K in keyof Variables]: Variables[K] extends Variable<infer T> ? T : never }>;

/** `maxFileSize` -> `MAX_FILE_SIZE` */
function nameOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** A variable's text: its own, or the content of the file that `<NAME>_FILE` names. Empty counts as not set. */
function textOf(name: string, environment: Environment): string | undefined {
  const own = environment[name] || undefined;
  const file = environment[`${name}_FILE`] || undefined;
  if (file === undefined) return own;
  if (own !== undefined) throw new ConfigError(`${name} and ${name}_FILE are both set: set one of them`);
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new ConfigError(`${name}_FILE must be the path of a readable file, but "${file}" is not (${reason})`);
  }
}

function readVariable<T>(name: string, { form, fallback, parse, secret }: Variable<T>, environment: Environment): T {
  const text = textOf(name, environment);
  if (text === undefined) return fallback;
  const value = parse(text);
  if (value !== undefined) return value;
  const given = secret ? `a value of ${Buffer.byteLength(text)} bytes that is not` : JSON.stringify(text);
  throw new ConfigError(`${name} must be ${form}, but was ${given}`);
}

/** A mail names its sender, and the links in it lead to PUBLIC_URL: what a request says of the host may be a stranger's. */
function checkMail({ smtpUrl, mailFrom, publicUrl }: Config): void {
  const missing = { MAIL_FROM: mailFrom, PUBLIC_URL: publicUrl };
  for (const [name, value] of Object.entries(missing)) {
    if (smtpUrl && !value) throw new ConfigError(`${name} must be set too where SMTP_URL is, but was not`);
  }
}

/** The embedded database is reached straight, and by one process. */
function checkDatabase({ databaseUrl, databaseDirectUrl, workers }: Config): void {
  if (workers > 1 && !databaseUrl) {
    throw new ConfigError(
      `WORKERS must be 1 with the embedded database, which serves one process, but was ${workers}: set DATABASE_URL too`,
    );
  }
  if (databaseDirectUrl && !databaseUrl) {
    throw new ConfigError('DATABASE_URL must be set too where DATABASE_DIRECT_URL is, but was not');
  }
}

function checkSet(needed: Record<string, string | undefined>, where: string): void {
  for (const [name, value] of Object.entries(needed)) {
    if (!value) throw new ConfigError(`${name} must be set too where ${where}, but was not`);
  }
}

/**
 * @param where what asks for a bucket, as `STORAGE is s3`
 * @throws ConfigError for the first variable that is not set
 */
export function checkBucketSettings(config: Config, where: string): void {
  const { s3Bucket, s3AccessKeyId, s3SecretAccessKey } = config;
  checkSet({ S3_BUCKET: s3Bucket, S3_ACCESS_KEY_ID: s3AccessKeyId, S3_SECRET_ACCESS_KEY: s3SecretAccessKey }, where);
}

/** Several servers sign with the same secret, and what one of them kept under its DATA_DIR the others could not read. */
function checkStorage(config: Config): void {
  if (config.storage === 's3') {
    checkSet({ JWT_SECRET: config.jwtSecret }, 'STORAGE is s3');
    checkBucketSettings(config, 'STORAGE is s3');
  }
  if (config.storageFallback === 's3') checkBucketSettings(config, 'STORAGE_FALLBACK is s3');
  if (config.storageFallback === config.storage) {
    throw new ConfigError(`STORAGE_FALLBACK must be another place than STORAGE, but both were ${config.storage}`);
  }
  if (config.linkMode === 'redirect' && config.storage !== 's3') {
    throw new ConfigError(
      'STORAGE must be s3 where LINK_MODE is redirect, but was disk: only a bucket can be redirected to',
    );
  }
}

/**
 * @param environment names and texts, as in `process.env`
 * @throws ConfigError for the first variable that is wrong
 */
export function readConfig(environment: Environment): Config {
  const entries = Object.entries(variables).map(([key, form]) => [
    key,
    readVariable(nameOf(key), form as Variable<unknown>, environment),
  ]);
  const config = Object.freeze(Object.fromEntries(entries)) as Config;
  checkMail(config);
  checkDatabase(config);
  checkStorage(config);
  return config;
}
