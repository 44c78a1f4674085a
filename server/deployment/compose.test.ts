/** Checks the compose files without a container engine. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { readConfig } from '../config/read-config.ts';
import {
  type Compose,
  fillSecrets,
  makeSecrets,
  readYaml,
  type Service,
  substitute,
  variableNames,
} from '../testing/deployment.ts';
import { temporaryFolder } from '../testing/postgres/embedded.ts';

const compose = readYaml<Compose>('docker-compose.scale.yml');
const { services, secrets = {}, volumes = {}, networks = {} } = compose;
const app = services.app as Service;
const named = Object.entries(services);

t.test('every compose file can be parsed', async (t) => {
  for (const path of readdirSync('.').filter((name) => /^docker-compose.*\.yml$/.test(name))) {
    t.ok(Object.keys(readYaml<Compose>(path).services).length > 0, path);
  }
});

t.test('every variable of the app is known and has a valid value', async (t) => {
  const known = new Set(variableNames());
  const environment = app.environment ?? {};
  for (const name of Object.keys(environment)) t.ok(known.has(name.replace(/_FILE$/, '')), name);
  const folder = makeSecrets(t);
  const read = (given: Record<string, string>) => {
    const values = { DOMAIN: 'gallery.example.com', ...given };
    const pathOf = (secret: string) => substitute(secrets[secret]?.file ?? '', values).replace('./secrets', folder);
    const texts = Object.entries(environment).map(([name, value]) => [
      name,
      substitute(String(value), values).replace(/^\/run\/secrets\/(.*)/, (_, secret) => pathOf(secret)),
    ]);
    return readConfig(Object.fromEntries(texts));
  };
  const config = read({});
  t.match(config, {
    storage: 's3',
    publicUrl: 'https://gallery.example.com',
    metricsPort: 9464,
    databaseUrl: 'postgres://gallery@pooler:6432/gallery',
    databaseDirectUrl: 'postgres://gallery@database:5432/gallery',
    databasePassword: /^\w{48}$/,
  });
  t.ok(config.encryptionKey && config.jwtSecret);
  t.same(config.encryptionKeyPrevious, [], 'no previous key by default');
  const changing = read({ ENCRYPTION_KEY_PREVIOUS_FILE: './secrets/encryption-key' });
  t.same(changing.encryptionKeyPrevious, [config.encryptionKey], 'the previous key during a rotation');
});

t.test('the commented key lines in docker-compose.secrets.yml are valid when uncommented', async (t) => {
  const text = readFileSync('docker-compose.secrets.yml', 'utf8');
  const [head, body = ''] = text.split(/^(?=services:)/m);
  t.match(head, /encryption-key/);
  const { services, secrets = {} } = parse(body.replace(/^( +)# /gm, '$1')) as Compose;
  const keys = ['encryption-key', 'encryption-key-previous'];
  t.match(services.app?.environment, {
    ENCRYPTION_KEY: '',
    ENCRYPTION_KEY_FILE: '/run/secrets/encryption-key',
    ENCRYPTION_KEY_PREVIOUS: '',
    ENCRYPTION_KEY_PREVIOUS_FILE: '/run/secrets/encryption-key-previous',
  });
  for (const key of keys) {
    t.ok(services.app?.secrets?.includes(key), key);
    t.equal(secrets[key]?.file, `./secrets/${key}`);
  }
});

/** Settings that a compose file omits: the image sets them, or they do not work there. */
const leftOut: Record<string, readonly string[]> = {
  'docker-compose.yml': ['HOST', 'PORT', 'DATA_DIR', 'METRICS_HOST'],
  // Replicas replace workers, and none has a disk that could hold a collection.
  'docker-compose.scale.yml': ['HOST', 'PORT', 'DATA_DIR', 'METRICS_HOST', 'WORKERS', 'STORAGE_FALLBACK'],
};

for (const [path, names] of Object.entries(leftOut)) {
  t.test(`${path} passes every setting on to the app`, async (t) => {
    const environment = readYaml<Compose>(path).services.app?.environment ?? {};
    const passed = Object.keys(environment).map((name) => name.replace(/_FILE$/, ''));
    t.same([...passed, ...names].sort(), variableNames().sort());
  });
}

t.test('the app and the database have limits for memory, processes and logs', async (t) => {
  for (const path of Object.keys(leftOut)) {
    const { app, database } = readYaml<Compose>(path).services;
    for (const service of [app, database]) {
      t.match(
        service,
        { pids_limit: Number, mem_limit: /\d[gm]\}$/, logging: { options: { 'max-size': '10m' } } },
        path,
      );
    }
  }
});

t.test('docker-compose.yml needs no other file', async (t) => {
  const { services, ...others } = readYaml<Compose>('docker-compose.yml');
  t.notOk(others.secrets);
  for (const { volumes = [] } of Object.values(services)) {
    for (const volume of volumes) t.ok((volume.split(':')[0] ?? '') in (others.volumes ?? {}), volume);
  }
});

t.test('the compose file for the decoder user gives the app only the capabilities to switch user', async (t) => {
  const { services } = readYaml<Compose>('docker-compose.decoder-user.yml');
  t.same(Object.keys(services), ['app']);
  t.same(services.app, {
    build: { target: 'decoder-user' },
    image: 'encryption-gallery:decoder-user',
    cap_add: ['SETGID', 'SETUID'],
    security_opt: [],
  });
});

t.test('only the image for the decoder user contains a program with capabilities', async (t) => {
  const stages = readFileSync('Dockerfile', 'utf8')
    .split(/^(?=FROM )/m)
    .slice(1);
  const nameOf = (stage: string) => / AS ([\w-]+)$/m.exec(stage.split('\n')[0] ?? '')?.[1];
  /** A stage with all stages it is built on or copies from. */
  const wholeOf = (stage: string): string => {
    const used = stages.filter((other) => {
      const name = nameOf(other);
      return name !== undefined && new RegExp(`^FROM ${name}\\b|--from=${name}\\b`, 'm').test(stage);
    });
    return [stage, ...used.map(wholeOf)].join('\n');
  };
  const named = stages.find((stage) => nameOf(stage) === 'decoder-user') ?? '';
  t.match(named, /setcap cap_setuid,cap_setgid=ep \/usr\/local\/libexec\/decoder-setpriv/);
  const image = wholeOf(stages.at(-1) ?? '');
  t.match(image, /^CMD /m, 'the default image is the last stage');
  t.notMatch(image, /setcap|decoder-setpriv|chmod [ug+]*s/);
});

t.test('images are pinned to a version', async (t) => {
  for (const [name, { image = '', build }] of named) {
    if (!build) t.match(image, /^[\w./-]+:v?\d+\.\d+[\w.-]*$/, name);
  }
});

t.test('no container can write to its root, gain privileges or keep unneeded ones', async (t) => {
  for (const [name, service] of named) {
    t.equal(service.read_only, true, name);
    t.same(service.cap_drop, ['ALL'], name);
    t.same(service.security_opt, ['no-new-privileges:true'], name);
  }
});

t.test('every long-running service has a health check, and dependencies wait only for services with one', async (t) => {
  const image = readFileSync('Dockerfile', 'utf8');
  for (const [name, { healthcheck, restart, build }] of named) {
    if (restart !== 'no') t.ok(healthcheck || (build && /^HEALTHCHECK/m.test(image)), name);
  }
  for (const [name, { depends_on = {} }] of named) {
    for (const [other, { condition }] of Object.entries(depends_on)) {
      const ends = services[other]?.restart === 'no';
      t.equal(condition, ends ? 'service_completed_successfully' : 'service_healthy', `${name} on ${other}`);
    }
  }
});

t.test('three replicas run behind one proxy, the only service with published ports', async (t) => {
  t.equal(app.deploy?.replicas, 3);
  t.same(
    named.filter(([, { ports }]) => ports).map(([name]) => name),
    ['proxy'],
  );
  const onlyHere = services.proxy?.ports?.filter((port) => !/^(80|443):/.test(port)) ?? [];
  t.ok(
    onlyHere.every((port) => port.startsWith('127.0.0.1:')),
    onlyHere.join(),
  );
});

t.test('the trusted network contains only the proxy and the replicas', async (t) => {
  const shared = (app.networks ?? []).filter((network) => services.proxy?.networks?.includes(network));
  t.same(shared, ['edge'], 'the proxy reaches the replicas over no other network');
  t.equal(networks.edge?.ipam?.config[0]?.subnet, app.environment?.TRUST_PROXY);
  t.same(
    named.filter(([, service]) => service.networks?.includes('edge')).map(([name]) => name),
    ['proxy', 'app'],
  );
  for (const name of ['inside', 'watch', 'board'])
    t.equal(networks[name]?.internal, true, `${name} has no external access`);
});

const read = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

t.test('the script creates secrets once, as files that others cannot read', async (t) => {
  const folder = makeSecrets(t);
  t.equal(statSync(folder).mode & 0o077, 0);
  for (const [name, { file }] of Object.entries(secrets)) {
    if (name === 'encryption-key-previous') continue;
    t.equal(file, `./secrets/${name}`);
    t.ok(readFileSync(join(folder, name), 'utf8').trim().length >= 20, name);
  }
  const ofOneApp = Object.keys(readYaml<Compose>('docker-compose.secrets.yml').secrets ?? {});
  t.ok(ofOneApp.length > 2);
  for (const name of ofOneApp)
    t.equal(statSync(join(folder, name)).mode & 0o777, 0o644, `${name} is readable in a container`);
  t.equal(readFileSync(join(folder, 'smtp-url'), 'utf8'), '', 'mail is optional');
  const used = new Set(named.flatMap(([, service]) => service.secrets ?? []));
  t.same([...used].sort(), Object.keys(secrets).sort());
  const text = JSON.stringify(named.map(([, { environment }]) => environment));
  for (const [, name = ''] of text.matchAll(/\/run\/secrets\/([\w-]+)/g)) t.ok(used.has(name), name);
  const before = read(folder);
  fillSecrets(folder);
  t.same(read(folder), before, 'existing secrets are kept');
  t.not(read(makeSecrets(t))['jwt-secret'], before['jwt-secret'], 'another folder gets different secrets');
});

t.test('the script opens secrets that were made by hand to the containers', async (t) => {
  const folder = temporaryFolder(t);
  const password = 'a "b" c\\';
  writeFileSync(join(folder, 'postgres-password'), `${password}\n`, { mode: 0o600 });
  fillSecrets(folder);
  t.equal(statSync(join(folder, 'postgres-password')).mode & 0o777, 0o644);
  t.equal(readFileSync(join(folder, 'postgres-password'), 'utf8'), `${password}\n`);
  t.equal(readFileSync(join(folder, 'pgbouncer-users'), 'utf8'), '"gallery" "a ""b"" c\\"\n');
});

t.test('the script stops if openssl fails, and the next run replaces empty secrets', async (t) => {
  const bin = temporaryFolder(t);
  writeFileSync(join(bin, 'openssl'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const folder = temporaryFolder(t);
  const script = ['deploy/make-secrets.sh', folder];
  t.throws(() => execFileSync('sh', script, { env: { PATH: `${bin}:${process.env.PATH}` } }));
  t.same(readdirSync(folder), []);
  writeFileSync(join(folder, 'encryption-key'), '');
  execFileSync('sh', script);
  const made = readFileSync(join(folder, 'encryption-key'), 'utf8');
  t.match(made, /^[\da-f]{64}\n$/);
  execFileSync('sh', script);
  t.equal(readFileSync(join(folder, 'encryption-key'), 'utf8'), made, 'once');
});

t.test('every volume, network and file that compose files name exists', async (t) => {
  for (const [name, service] of named) {
    for (const network of service.networks ?? []) t.ok(network in networks, `${name}: ${network}`);
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('./')) t.ok(statSync(source), `${name}: ${source}`);
      else t.ok(source in volumes, `${name}: ${source}`);
    }
  }
});
