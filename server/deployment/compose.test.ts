/** docker-compose.scale.yml: what an engine would be told, without one. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readConfig } from '../config.ts';
import { type Compose, makeSecrets, readYaml, type Service, substitute, variableNames } from '../testing/deployment.ts';

const compose = readYaml<Compose>('docker-compose.scale.yml');
const { services, secrets = {}, volumes = {}, networks = {} } = compose;
const app = services.app as Service;
const named = Object.entries(services);

t.test('every file of compose can be read', async (t) => {
  for (const path of readdirSync('.').filter((name) => /^docker-compose.*\.yml$/.test(name))) {
    t.ok(Object.keys(readYaml<Compose>(path).services).length > 0, path);
  }
});

t.test('every variable of the app is one that it knows, and holds what it takes', async (t) => {
  const known = new Set(variableNames());
  const environment = app.environment ?? {};
  for (const name of Object.keys(environment)) t.ok(known.has(name.replace(/_FILE$/, '')), name);
  const folder = makeSecrets(t);
  const texts = Object.entries(environment).map(([name, value]) => [
    name,
    substitute(String(value), { DOMAIN: 'gallery.example.com' }).replace('/run/secrets', folder),
  ]);
  const config = readConfig(Object.fromEntries(texts));
  t.match(config, {
    storage: 's3',
    publicUrl: 'https://gallery.example.com',
    metricsPort: 9464,
    databaseUrl: /^postgres:\/\/gallery:\w{48}@pooler:6432\/gallery$/,
    databaseDirectUrl: /^postgres:\/\/gallery:\w{48}@database:5432\/gallery$/,
  });
  t.ok(config.encryptionKey && config.jwtSecret);
});

t.test('what a gallery of many users sets is passed on', async (t) => {
  const settings = ['REGISTRATION', 'SMTP_URL', 'MAIL_FROM', 'QUOTA', 'QUOTA_IMAGES', 'CACHE_SIZE', 'LOG_LEVEL'];
  for (const name of settings) t.ok(name in (app.environment ?? {}), name);
});

t.test('images are pinned to a version', async (t) => {
  for (const [name, { image = '', build }] of named) {
    if (!build) t.match(image, /^[\w./-]+:v?\d+\.\d+[\w.-]*$/, name);
  }
});

t.test('no container can write to its root, gain a privilege or keep one that it does not need', async (t) => {
  for (const [name, service] of named) {
    t.equal(service.read_only, true, name);
    t.same(service.cap_drop, ['ALL'], name);
    t.same(service.security_opt, ['no-new-privileges:true'], name);
  }
});

t.test('what stays up says whether it is well, and nothing waits for what does not say so', async (t) => {
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

t.test('three replicas stand behind one proxy, which alone has published ports', async (t) => {
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

t.test('the network whose members are believed holds the proxy and the replicas alone', async (t) => {
  const shared = (app.networks ?? []).filter((network) => services.proxy?.networks?.includes(network));
  t.same(shared, ['edge'], 'the proxy reaches the replicas by no other way');
  t.equal(networks.edge?.ipam?.config[0]?.subnet, app.environment?.TRUST_PROXY);
  t.same(
    named.filter(([, service]) => service.networks?.includes('edge')).map(([name]) => name),
    ['proxy', 'app'],
  );
  for (const name of ['inside', 'watch', 'board'])
    t.equal(networks[name]?.internal, true, `${name} leads nowhere else`);
});

t.test('secrets are files that the script makes, closed to others, and made once', async (t) => {
  const folder = makeSecrets(t);
  t.equal(statSync(folder).mode & 0o077, 0);
  for (const [name, { file }] of Object.entries(secrets)) {
    t.equal(file, `./secrets/${name}`);
    t.ok(readFileSync(join(folder, name), 'utf8').trim().length >= 20, name);
  }
  const used = new Set(named.flatMap(([, service]) => service.secrets ?? []));
  t.same([...used].sort(), Object.keys(secrets).sort());
  const text = JSON.stringify(named.map(([, { environment }]) => environment));
  for (const [, name = ''] of text.matchAll(/\/run\/secrets\/([\w-]+)/g)) t.ok(used.has(name), name);
  const before = readFileSync(join(folder, 'jwt-secret'), 'utf8');
  const again = makeSecrets(t);
  t.not(readFileSync(join(again, 'jwt-secret'), 'utf8'), before, 'others elsewhere');
});

t.test('whatever is named is there: volumes, networks and files', async (t) => {
  for (const [name, service] of named) {
    for (const network of service.networks ?? []) t.ok(network in networks, `${name}: ${network}`);
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('./')) t.ok(statSync(source), `${name}: ${source}`);
      else t.ok(source in volumes, `${name}: ${source}`);
    }
  }
});
