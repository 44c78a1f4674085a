/** docker-compose.scale.yml with the documented commands: all services but Grafana, and uploads by https through the proxy. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type Compose, readYaml } from '../server/testing/deployment.ts';
import { eventually } from '../server/testing/eventually.ts';
import { freePort } from '../server/testing/free-port.ts';
import { noise } from '../server/testing/pictures.ts';
import { logIn, newAccount, pathOf, store } from '../trust-tests/testing/account.ts';
import { call } from '../trust-tests/testing/call.ts';
import { awkward, documented, folderWith, isHealthy, openProject } from './testing/compose.ts';
import { newName } from './testing/gallery.ts';
import { podman, unlessFull } from './testing/podman.ts';

t.setTimeout(600_000);

const file = 'docker-compose.scale.yml';
const page = 'docs/run/scaling-out.md';

t.test('Grafana', { skip: 'no package of Debian or npm has it' }, async () => {});

t.test('three replicas behind the proxy', { skip: unlessFull }, async (t) => {
  const folder = folderWith(t, [file, 'deploy']);
  const port = await freePort();
  // Ports 80 and 443 may be taken here.
  writeFileSync(
    join(folder, 'here.yml'),
    `services: { grafana: !reset null, proxy: { ports: !override ['127.0.0.1:${port}:443'] } }`,
  );
  const { networks } = readYaml<Compose>(file);
  const gateway = networks?.edge?.ipam?.config[0]?.subnet.replace(/\.0\/24$/, '.1');
  // For a name of this machine, Caddy makes the certificate itself.
  const project = openProject(t, folder, newName(), { APP_RESOLVER: `udp/${gateway}:53` });
  const run = (commands: string) =>
    project.shell(
      commands.replaceAll(`-f ${file}`, `-f ${file} -f here.yml`).replaceAll('gallery.example.com', 'localhost'),
    );
  const origin = `https://localhost:${port}`;
  const ready = () =>
    eventually('the proxy finds a replica', async () => {
      const answer = await call(origin, '/api/health/ready').catch(() => undefined);
      return answer?.status === 200;
    });

  await run(documented(page, /^sh deploy\/make-secrets\.sh .*\n.*\n.*$/m));
  await ready();
  const services = Object.keys(readYaml<Compose>(file).services).filter(
    (name) => !['grafana', 'bucket'].includes(name),
  );
  for (const name of services) t.ok(await isHealthy(project, name), `${name} is healthy`);

  const account = await newAccount(origin);
  const [image] = await store(origin, account, [{ name: 'one.jpg', bytes: await noise(300, 200) }]);
  t.match(image?.url, /^https:\/\/localhost\//);
  const link = pathOf(image?.url);
  const works = async (t: Test) => {
    await ready();
    t.equal((await call(origin, link)).status, 200, 'the link');
    await logIn(origin, account);
  };
  await works(t);

  await t.test('Prometheus finds the three replicas', async () => {
    const query = ['wget', '-qO-', 'http://127.0.0.1:9090/api/v1/query?query=up'];
    await eventually('three targets are up', async () => {
      const { data } = JSON.parse(await podman('exec', project.container('prometheus'), ...query));
      return data.result.filter(({ value }: { value: [number, string] }) => value[1] === '1').length === 3;
    });
  });

  await t.test('every read is answered while replicas end', async (t) => {
    const read = async () => (await call(origin, link)).status;
    const statuses = [await read()];
    const reading = (async () => {
      while (statuses.length < 100) statuses.push(await read());
    })();
    await podman('kill', `${project.name}-app-2`);
    await podman('stop', `${project.name}-app-3`);
    await reading;
    t.same([...new Set(statuses)], [200]);
  });

  await t.test('the password is changed', async (t) => {
    const steps = documented(page, /^rm secrets\/pgbouncer-users\n(?:(?!```).+\n)+/m);
    const password = awkward.replaceAll("'", "'\\''");
    await run(steps.replace('openssl rand -hex 24', () => `printf '%s\\n' '${password}'`));
    await works(t);
  });

  await t.test('down and up', async (t) => {
    await run(`docker compose -f ${file} down`);
    await run(`docker compose -f ${file} up -d`);
    await works(t);
  });
});
