/** Every environment variable with its form and default. Its name is the key in capitals (`maxFiles`: MAX_FILES). */
import { resolve } from 'node:path';
import {
  matching,
  oneOf,
  parseContact,
  parseDatabaseUrl,
  parseEndpoint,
  parseHost,
  parseHttpUrl,
  parseIssuer,
  parseKey,
  parseKeys,
  parseNetworks,
  parseOrigin,
  parseOrigins,
  parsePrefix,
  parseRoleClaim,
  parseScopes,
  parseSender,
  parseSize,
  parseSmtpUrl,
  parseTime,
  wholeNumber,
} from './parsing.ts';
import { type Variable, variable } from './reading.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const max = Number.MAX_SAFE_INTEGER;

/** SLOW_QUERY in milliseconds, where it is not set. */
export const usuallySlow = 1000;

export const variables = {
  host: variable('a host name or an address', '127.0.0.1', parseHost),
  port: variable('a whole number from 0 to 65535', 3000, wholeNumber(0, 65535)),
  dataDir: variable('the path of a folder', resolve('data'), (text) => resolve(text)),
  databaseUrl: variable<string | undefined>('a postgres:// URL', undefined, parseDatabaseUrl, true),
  databaseDirectUrl: variable<string | undefined>('a postgres:// URL', undefined, parseDatabaseUrl, true),
  databasePassword: {
    ...variable<string | undefined>('a password', undefined, (text) => text, true),
    keepsSpaces: true,
  },
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
    true,
  ),
  mailFrom: variable<string | undefined>('an address like Gallery <gallery@example.com>', undefined, parseSender),
  abuseContact: variable<string | undefined>('an email address or a URL by https', undefined, parseContact),
  corsOrigin: variable<readonly string[]>('http or https origins, separated by commas', [], parseOrigins),
  registration: variable<'open' | 'invite' | 'approval' | 'closed'>(
    'open, invite, approval or closed',
    'open',
    oneOf('open', 'invite', 'approval', 'closed'),
  ),
  setupToken: variable<string | undefined>(
    'a secret of 16 to 256 ASCII characters without spaces, as from "openssl rand -hex 16"',
    undefined,
    matching(/^[\x21-\x7e]{16,256}$/),
    true,
  ),
  passwordLogin: variable<'on' | 'off'>('on or off', 'on', oneOf('on', 'off')),
  oidcIssuer: variable<string | undefined>(
    'the https URL of an issuer, without "/.well-known/openid-configuration"',
    undefined,
    parseIssuer,
  ),
  oidcClientId: variable<string | undefined>('an id without spaces', undefined, matching(/^[\x21-\x7e]{1,256}$/)),
  oidcClientSecret: variable<string | undefined>('one line', undefined, matching(/^[\x20-\x7e]{1,1024}$/), true),
  oidcScopes: variable('scopes separated by spaces, with "openid" among them', 'openid profile email', parseScopes),
  oidcButton: variable<string | undefined>('at most 60 characters', undefined, matching(/^[^\p{C}]{1,60}$/u)),
  oidcRegistration: variable<'on' | 'off'>('on or off', 'on', oneOf('on', 'off')),
  oidcTrustEmail: variable<'on' | 'off'>('on or off', 'off', oneOf('on', 'off')),
  oidcRoleClaim: variable<{ claim: string; value: string } | undefined>(
    'a claim and the value of administrators, like groups=gallery-admins',
    undefined,
    parseRoleClaim,
  ),
  oidcQuotaClaim: variable<string | undefined>('the name of a claim', undefined, matching(/^[^\s\p{C}]{1,200}$/u)),
  oidcAuto: variable<'on' | 'off'>('on or off', 'off', oneOf('on', 'off')),
  requireSecondFactor: variable<'none' | 'admins' | 'all'>(
    'none, admins or all',
    'none',
    oneOf('none', 'admins', 'all'),
  ),
  maxFileSize: variable('a size like 64MiB', 64 * 2 ** 20, parseSize),
  maxFiles: variable('a whole number from 1 to 5000', 100, wholeNumber(1, 5000)),
  maxPixels: variable('a whole number of pixels from 1', 100_000_000, wholeNumber(1, max)),
  cacheSize: variable('a size like 64MiB, or 0 for none', 64 * 2 ** 20, (text) => (text === '0' ? 0 : parseSize(text))),
  pageSize: variable('a whole number from 1 to 1000', 24, wholeNumber(1, 1000)),
  quota: variable<number | undefined>('a size like 10GB', undefined, parseSize),
  backupPath: variable<string | undefined>('the path of a file', undefined, (text) => resolve(text)),
  quotaImages: variable<number | undefined>('a whole number of images from 1', undefined, wholeNumber(1, max)),
  decoderIsolation: variable<'auto' | 'required'>('auto or required', 'auto', oneOf('auto', 'required')),
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
