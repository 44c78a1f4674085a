/** docker-compose.yml as its users start it: pasted alone, and with secrets in files. The commands are the documentation's. */
import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { eventually } from '../server/testing/eventually.ts';
import { freePort } from '../server/testing/free-port.ts';
import { noise } from '../server/testing/pictures.ts';
import { logIn, newAccount, pathOf, store } from '../trust-tests/testing/account.ts';
import { call } from '../trust-tests/testing/call.ts';
import { awkward, documented, folderWith, isHealthy, openProject, type Project } from './testing/compose.ts';
import { newName, refusedStart } from './testing/gallery.ts';
import { podman } from './testing/podman.ts';

t.setTimeout(600_000);

const keepPassword = documented('README.md', /^grep .*POSTGRES_PASSWORD.*$/m);

type Opened = Project & { folder: string; origin: string };

/** A folder with these files, and a free port. */
async function openFolder(t: Test, files: readonly string[]): Promise<Opened> {
  const folder = folderWith(t, files);
  const port = await freePort();
  const project = openProject(t, folder, newName(), { PUBLISH: `127.0.0.1:${port}` });
  return { ...project, folder, origin: `http://127.0.0.1:${port}` };
}

const ready = ({ origin }: Opened) =>
  eventually('the gallery is ready', async () => {
    const answer = await call(origin, '/api/health/ready').catch(() => undefined);
    return answer?.status === 200;
  });

/** Changes a line of .env as an editor would. */
function setPassword({ folder }: Opened, password: string): void {
  const path = join(folder, '.env');
  const line = `POSTGRES_PASSWORD='${password}'`;
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(/^POSTGRES_PASSWORD=.*$/m, () => line),
  );
}

t.test('docker-compose.yml pasted alone', async (t) => {
  const project = await openFolder(t, ['docker-compose.yml']);
  const { folder, origin, compose, shell } = project;

  const refused = await project.tryCompose('up', '-d');
  t.match(refused, { code: /[^0]/, errors: /put a line POSTGRES_PASSWORD=/ }, 'a missing password is named');

  writeFileSync(join(folder, '.env'), 'LOG_LEVEL=info');
  await shell(keepPassword);
  const first = readFileSync(join(folder, '.env'), 'utf8');
  t.match(first, /^LOG_LEVEL=info\nPOSTGRES_PASSWORD=\w{48}\n$/);
  await shell(keepPassword);
  t.equal(readFileSync(join(folder, '.env'), 'utf8'), first, 'the command keeps the password');

  await compose('up', '-d');
  await ready(project);
  const account = await newAccount(origin);
  const [image] = await store(origin, account, [{ name: 'one.jpg', bytes: await noise(300, 200) }]);
  const link = pathOf(image?.url);
  const works = async (t: Test) => {
    await ready(project);
    t.equal((await call(origin, link)).status, 200, 'the link');
    t.equal((await call(origin, '/api/auth/me', { headers: account.bearer })).status, 200, 'the session');
    t.ok(await isHealthy(project, 'app'));
    t.ok(await isHealthy(project, 'database'));
  };
  await works(t);

  await t.test('the database has checksums, and a superuser without a password', async (t) => {
    const psql = (statement: string) =>
      compose('exec', 'database', 'psql', '--username=postgres', 'gallery', '-Atc', statement);
    t.equal(await psql('show data_checksums'), 'on');
    const roles = await psql(
      'select rolname, rolsuper, rolpassword is null from pg_authid where rolcanlogin order by 1',
    );
    t.equal(roles, 'gallery|f|f\npostgres|t|t');
  });

  await t.test('all restart', async (t) => {
    await compose('restart');
    await works(t);
  });

  await t.test('the database is healthy only while the app can log in, and its restart repairs the role', async (t) => {
    const statement = `alter role gallery password 'another'`;
    await compose('exec', 'database', 'psql', '--username=postgres', '--command', statement);
    t.notOk(await isHealthy(project, 'database'));
    await compose('restart', 'database');
    await eventually('the app can log in', () => isHealthy(project, 'database'));
    await works(t);
  });

  await t.test('the password is changed in .env', async (t) => {
    setPassword(project, awkward);
    await shell(documented('README.md', /(?<=Change it in `\.env`, then run `)docker compose up -d(?=`)/));
    await works(t);
  });

  await t.test('an account becomes an administrator', async (t) => {
    const command = documented('README.md', /docker compose exec app admin users promote <name>/);
    await shell(command.replace('<name>', account.username));
    const details = await call(origin, '/api/account', { headers: account.bearer });
    t.equal(JSON.parse(details.body).role, 'admin');
  });

  await t.test('a backup is written', async (t) => {
    const backups = join(folder, 'backups');
    mkdirSync(backups);
    const command = documented('README.md', /docker compose run [^`]* admin backup [^`]*/);
    // With podman, `run` always ends with 0: the output decides.
    const backUp = () => project.tryCompose(...command.replace('/mnt/backup', backups).split(' ').slice(2));
    t.match((await backUp()).errors, /belongs to user 0:0 and the server runs as 1000:1000/);
    chownSync(backups, 1000, 1000);
    t.match((await backUp()).output, /1 image of 1 account/);
    t.ok(statSync(join(backups, 'gallery.tar')).size > 1000);
  });

  // Before `down`, which removes the containers that saw the password change.
  const logs = await compose('logs', '--no-color');
  for (const part of ['p@ss', 'w#?r%d', 'r%d"']) t.notOk(logs.includes(part), 'no log contains a part of the password');

  await t.test('down and up', async (t) => {
    await compose('stop');
    for (const service of ['app', 'database']) {
      const status = await podman('inspect', '--format', '{{.State.ExitCode}}', project.container(service));
      t.equal(status, '0', `${service} ends by itself`);
    }
    await compose('down');
    await compose('up', '-d');
    await works(t);
    await logIn(origin, account);
  });
});

for (const [moment, line] of [
  ['initdb runs', 'running bootstrap script'],
  ['the files exist', 'Success. You can now start'],
  ['Postgres has started once', 'database system is ready to accept connections'],
] as const) {
  t.test(`a first start that is killed when ${moment} is completed by the next one`, async (t) => {
    const project = await openFolder(t, ['docker-compose.yml']);
    writeFileSync(join(project.folder, '.env'), 'POSTGRES_PASSWORD=secret\n');
    const database = project.container('database');
    await project.compose('up', '-d', 'database');
    await eventually(line, async () => (await podman('logs', database)).includes(line));
    await podman('kill', database);
    await project.compose('up', '-d', 'database');
    await eventually('the app can log in', () => isHealthy(project, 'database'));
    if (moment === 'initdb runs') t.match(await podman('logs', database), 'The first start was cut.');
  });
}

t.test('docker-compose.secrets.yml, by the documented steps and with umask 077', async (t) => {
  const project = await openFolder(t, ['docker-compose.yml', 'docker-compose.secrets.yml', 'deploy/make-secrets.sh']);
  const { folder, origin, shell, container } = project;
  const steps = documented('docs/run/installation.md', /^sh deploy\/make-secrets\.sh\n(?:(?!```).+\n)+/m);
  await shell(`umask 077\n${steps}`);
  await ready(project);
  const account = await newAccount(origin);
  await store(origin, account, [{ name: 'one.jpg', bytes: await noise(300, 200) }]);
  const secrets = ['postgres-password', 'jwt-secret'].map((name) =>
    readFileSync(join(folder, 'secrets', name), 'utf8'),
  );
  for (const service of ['app', 'database']) {
    const environment = await podman('inspect', '--format', '{{json .Config.Env}}', container(service));
    for (const secret of secrets) t.notOk(environment.includes(secret.trim()), service);
  }

  await t.test('the password is changed in its file', async (t) => {
    writeFileSync(join(folder, 'secrets', 'postgres-password'), `${awkward}\n`);
    const [last = ''] = steps.trim().split('\n').slice(-1);
    await shell(`${last} --force-recreate`);
    await ready(project);
    await logIn(origin, account);
    t.ok(await isHealthy(project, 'database'));
  });
});

t.test('a password that cuts DATABASE_URL ends the start, and no part of it is shown', async (t) => {
  const DATABASE_URL = 'postgres://gallery:p@ss/w#rd@database:5432/gallery';
  const { code, lines } = await refusedStart(t, { environment: { DATABASE_URL } });
  t.equal(code, 1);
  t.equal(lines.length, 1);
  t.match(lines[0], /^DATABASE_URL must have the form .* DATABASE_PASSWORD/);
  t.notMatch(lines[0], /p@ss|w#/);
});
