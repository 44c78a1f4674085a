import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { readConfig } from './read-config.ts';
import { ConfigError } from './reading.ts';

const messageOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    return error instanceof ConfigError ? error.message : `not a ConfigError: ${error}`;
  }
  return 'no error';
};

t.test('an empty environment gives the documented defaults', async (t) => {
  t.match(readConfig({}), {
    host: '127.0.0.1',
    port: 3000,
    databaseUrl: undefined,
    jwtSecret: undefined,
    publicUrl: undefined,
    corsOrigin: [],
    registration: 'open',
    maxFileSize: 67_108_864,
    maxFiles: 100,
    maxPixels: 100_000_000,
    pageSize: 24,
    rateLimit: 'on',
    logLevel: 'info',
  });
  t.match(readConfig({}).dataDir, /[/\\]data$/);
});

t.test('an empty value, as compose files send it, counts as not set', async (t) => {
  t.equal(readConfig({ PORT: '', JWT_SECRET: '' }).port, 3000);
});

t.test('an abuse contact is an address or a page by https, and becomes a link', async (t) => {
  for (const [text, link] of [
    ['abuse@example.com', 'mailto:abuse@example.com'],
    ['https://example.com/report?from=gallery', 'https://example.com/report?from=gallery'],
  ]) {
    t.equal(readConfig({ ABUSE_CONTACT: text }).abuseContact, link);
  }
  t.equal(readConfig({}).abuseContact, undefined);
  for (const text of [
    ...['abuse', 'javascript:alert(1)', 'http://example.com/', 'https://user:pw@example.com/', 'a@b?bcc=c@d', 'a b@c'],
    ...['mailto:abuse@example.com', 'Abuse <abuse@example.com>', 'a@b,c@d'],
  ]) {
    t.match(messageOf({ ABUSE_CONTACT: text }), /^ABUSE_CONTACT must be an email address or a URL by https/, text);
  }
});

t.test('sizes are bytes, decimal or binary', async (t) => {
  for (const [text, bytes] of [
    ['1', 1],
    ['10MB', 10_000_000],
    ['10 MiB', 10_485_760],
    ['1.5GiB', 1_610_612_736],
    ['2kb', 2000],
  ] as const) {
    t.equal(readConfig({ MAX_FILE_SIZE: text }).maxFileSize, bytes, text);
  }
});

t.test('a wrong value is refused in one line with its name, form and given value', async (t) => {
  const wrong: Record<string, string> = {
    HOST: 'a b',
    PORT: '65536',
    DATABASE_URL: 'mysql://x',
    JWT_SECRET: 'short',
    PUBLIC_URL: 'https://example.com/path',
    CORS_ORIGIN: 'https://a.example,*',
    ENCRYPTION_KEY: 'dGhpcyBpcyBub3QgYSBrZXkgb2YgMzIgYnl0ZXM=',
    ENCRYPTION_KEY_PREVIOUS: `${'0f'.repeat(32)},abcdef`,
    SMTP_URL: 'mail.example.com:587',
    MAIL_FROM: 'the gallery',
    REGISTRATION: 'maybe',
    SETUP_TOKEN: 'fifteen-letters',
    MAX_FILE_SIZE: '64 potatoes',
    MAX_FILES: '0',
    MAX_PIXELS: '-1',
    PAGE_SIZE: '1e3',
    RATE_LIMIT: 'yes',
    LOG_LEVEL: 'loud',
    METRICS_PORT: '65536',
    SLOW_QUERY: 'fast',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
  };
  for (const [name, text] of Object.entries(wrong)) {
    const message = messageOf({ [name]: text });
    t.match(message, new RegExp(`^${name} must be .+, but was .+`), message);
    t.notMatch(message, /\n/);
    if (
      [
        'JWT_SECRET',
        'SETUP_TOKEN',
        'DATABASE_URL',
        'SMTP_URL',
        'OTEL_EXPORTER_OTLP_ENDPOINT',
        'ENCRYPTION_KEY',
        'ENCRYPTION_KEY_PREVIOUS',
      ].includes(name)
    )
      t.notMatch(message, text, 'secrets are not repeated');
    else t.ok(message.includes(text), 'the message contains the given value');
  }
});

t.test('a mail server needs a sender and an origin for the links', async (t) => {
  const mail = { SMTP_URL: 'smtps://user:p%40ss@mail.example.com', MAIL_FROM: 'Gallery <a@b.example>' };
  const whole = { ...mail, PUBLIC_URL: 'https://img.example.com' };
  t.match(readConfig(whole), { smtpUrl: mail.SMTP_URL, mailFrom: mail.MAIL_FROM });
  t.equal(readConfig({ ...whole, MAIL_FROM: 'a@b.example' }).mailFrom, 'a@b.example');
  for (const name of ['MAIL_FROM', 'PUBLIC_URL']) {
    t.match(messageOf({ ...whole, [name]: '' }), new RegExp(`^${name} must be set .*SMTP_URL[^\\n]*$`));
  }
  for (const url of ['http://mail.example.com', 'smtp:', 'smtp://', 'nonsense']) {
    t.match(messageOf({ ...whole, SMTP_URL: url }), /^SMTP_URL must be a URL like smtps:/, url);
  }
  for (const from of ['a@b@c', 'a@b, c@d', 'x <a@b>, <c@d>', 'a b@c', '<a@b>\nBcc: c@d', '"x" <a@b>']) {
    t.match(messageOf({ ...whole, MAIL_FROM: from }), /^MAIL_FROM must be an address/, from);
  }
});

t.test('a key is 32 bytes in base64 or hex, from a variable or a file', async (t) => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, at) => 255 - at));
  const texts = [
    key.toString('base64'),
    key.toString('base64url'),
    key.toString('hex'),
    key.toString('hex').toUpperCase(),
  ];
  for (const text of texts) t.same(readConfig({ ENCRYPTION_KEY: text }).encryptionKey, key, text);
  const previous = readConfig({ ENCRYPTION_KEY_PREVIOUS: texts.join(', ') }).encryptionKeyPrevious;
  t.same(previous, [key, key, key, key]);
  const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'key');
  writeFileSync(file, `${texts[0]}\n`);
  t.same(readConfig({ ENCRYPTION_KEY_FILE: file }).encryptionKey, key);
  for (const text of ['', 'x'].map((end) => `${key.toString('base64').slice(0, 40)}${end}`)) {
    t.match(
      messageOf({ ENCRYPTION_KEY: text }),
      /^ENCRYPTION_KEY must be 32 random bytes in base64 or hex.* a value of/,
    );
  }
});

t.test('any variable can come from a file', async (t) => {
  const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'secret');
  writeFileSync(file, `${'s'.repeat(40)}\n`);
  t.equal(readConfig({ JWT_SECRET_FILE: file }).jwtSecret, 's'.repeat(40));
  t.match(messageOf({ JWT_SECRET_FILE: file, JWT_SECRET: 's'.repeat(40) }), /both set/);
  t.match(messageOf({ JWT_SECRET_FILE: `${file}-missing` }), /^JWT_SECRET_FILE must be the path of a readable file/);
});

t.test('an empty file stops the start, except for variables that may be empty', async (t) => {
  const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'secret');
  writeFileSync(file, '\n');
  for (const name of [
    'ENCRYPTION_KEY',
    'JWT_SECRET',
    'DATABASE_URL',
    'DATABASE_PASSWORD',
    'S3_SECRET_ACCESS_KEY',
    'PORT',
  ])
    t.equal(
      messageOf({ [`${name}_FILE`]: file }),
      `${name}_FILE must be the path of a file with a value, but "${file}" is empty`,
    );
  t.equal(readConfig({ SMTP_URL_FILE: file }).smtpUrl, undefined);
  t.same(readConfig({ ENCRYPTION_KEY_PREVIOUS_FILE: file }).encryptionKeyPrevious, []);
});

t.test('a password in a file keeps its spaces, and not the end of the line', async (t) => {
  const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'password');
  writeFileSync(file, ' p@ss/w#rd $x\t \r\n');
  const { databasePassword } = readConfig({ DATABASE_URL: 'postgres://u@localhost/d', DATABASE_PASSWORD_FILE: file });
  t.equal(databasePassword, ' p@ss/w#rd $x\t ');
});

t.test('DATABASE_DIRECT_URL and DATABASE_PASSWORD require DATABASE_URL', async (t) => {
  const url = 'postgres://u@localhost/d';
  t.match(messageOf({ DATABASE_DIRECT_URL: url }), /^DATABASE_URL must be set too where DATABASE_DIRECT_URL is/);
  t.match(
    messageOf({ DATABASE_PASSWORD: 'secret' }),
    /^DATABASE_URL must be set too where DATABASE_PASSWORD is, but was not$/,
  );
  t.equal(readConfig({ DATABASE_URL: url, DATABASE_DIRECT_URL: url }).databaseDirectUrl, url);
});

t.test('a sign-in provider needs a client, PUBLIC_URL, and https unless it is on this machine', async (t) => {
  const oidc = { OIDC_ISSUER: 'https://id.example.com/', OIDC_CLIENT_ID: 'gallery' };
  const publicUrl = { PUBLIC_URL: 'https://img.example.com' };
  t.match(readConfig({ ...oidc, ...publicUrl }), {
    oidcIssuer: 'https://id.example.com/',
    oidcScopes: 'openid profile email',
    oidcRegistration: 'on',
    oidcAuto: 'off',
    passwordLogin: 'on',
  });
  t.equal(messageOf(oidc), 'PUBLIC_URL must be set too where OIDC_ISSUER is, but was not');
  t.match(messageOf({ ...publicUrl, OIDC_ISSUER: oidc.OIDC_ISSUER }), /^OIDC_CLIENT_ID must be set too/);
  t.match(messageOf({ OIDC_AUTO: 'on' }), /^OIDC_ISSUER must be set too where OIDC_AUTO is on/);
  for (const [name, value] of [
    ['OIDC_ROLE_CLAIM', 'groups=admins'],
    ['OIDC_QUOTA_CLAIM', 'quota'],
    ['OIDC_CLIENT_SECRET', 'a secret'],
    ['OIDC_BUTTON', 'Log in'],
    ['OIDC_REGISTRATION', 'off'],
    ['OIDC_SCOPES', 'openid email'],
    ['OIDC_TRUST_EMAIL', 'on'],
  ] as const) {
    t.equal(messageOf({ [name]: value }), `OIDC_ISSUER must be set too where ${name} is, but was not`);
    t.ok(readConfig({ ...oidc, ...publicUrl, [name]: value }), name);
  }
  t.match(messageOf({ PASSWORD_LOGIN: 'off' }), /^OIDC_ISSUER must be set too where PASSWORD_LOGIN is off/);
  for (const issuer of ['http://localhost:9000', 'http://127.0.0.1:1/realms/a', 'http://[::1]/']) {
    t.equal(readConfig({ ...oidc, ...publicUrl, OIDC_ISSUER: issuer }).oidcIssuer, issuer);
  }
  for (const issuer of [
    ...['http://id.example.com', 'http://localhost.example.com', 'ftp://id.example.com', 'id.example.com'],
    ...[
      'https://u:p@id.example.com',
      'https://id.example.com/?a',
      'https://id.example.com/.well-known/openid-configuration',
    ],
  ]) {
    t.match(messageOf({ OIDC_ISSUER: issuer }), /^OIDC_ISSUER must be the https URL of an issuer/, issuer);
  }
  t.match(messageOf({ OIDC_SCOPES: 'profile email' }), /^OIDC_SCOPES must be scopes separated by spaces/);
  t.notMatch(messageOf({ OIDC_CLIENT_SECRET: 'a\nb' }), /a\nb/, 'a secret is not repeated');
});

t.test('a role claim is the name of a claim and the value of administrators', async (t) => {
  const provider = {
    OIDC_ISSUER: 'https://id.example.com/',
    OIDC_CLIENT_ID: 'gallery',
    PUBLIC_URL: 'https://a.example',
  };
  const roleClaim = (text: string) => readConfig({ ...provider, OIDC_ROLE_CLAIM: text }).oidcRoleClaim;
  t.same(roleClaim('groups=gallery-admins'), { claim: 'groups', value: 'gallery-admins' });
  t.same(roleClaim('groups=/staff/a=b'), { claim: 'groups', value: '/staff/a=b' });
  t.same(roleClaim('gallery_role'), { claim: 'gallery_role', value: 'admin' });
  for (const text of ['=admins', 'groups=', 'two words=x']) {
    t.match(messageOf({ OIDC_ROLE_CLAIM: text }), /^OIDC_ROLE_CLAIM must be a claim and the value/, text);
  }
});

t.test('a trailing slash of origins is removed', async (t) => {
  t.equal(readConfig({ PUBLIC_URL: 'https://img.example.com/' }).publicUrl, 'https://img.example.com');
  t.same(readConfig({ CORS_ORIGIN: 'https://a.example, http://b.example:8080/' }).corsOrigin, [
    'https://a.example',
    'http://b.example:8080',
  ]);
});

t.test('every variable is in .env.example, the documentation and the compose file', async (t) => {
  const names = Object.keys(readConfig({})).map((key) => key.replace(/[A-Z]/g, '_$&').toUpperCase());
  const ofTheImage = ['HOST', 'PORT', 'METRICS_HOST', 'DATA_DIR'];
  for (const file of ['.env.example', 'docs/run/configuration.md', 'docker-compose.yml']) {
    const text = readFileSync(file, 'utf8');
    const missing = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
    t.same(
      missing.filter((name) => file !== 'docker-compose.yml' || !ofTheImage.includes(name)),
      [],
      file,
    );
  }
});

t.test('PUID and PGID are refused unless the server already runs as that user', async (t) => {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  t.match(
    messageOf({ PUID: '4321', PGID: '100' }),
    /^PUID and PGID have no effect.*--user 4321:100,.*user: "4321:100"/,
  );
  t.match(messageOf({ PGID: '4321' }), `--user ${uid}:4321,`);
  t.equal(messageOf({ PUID: String(uid), PGID: String(gid) }), 'no error');
  t.equal(messageOf({ PUID: '', PGID: '' }), 'no error');
});
