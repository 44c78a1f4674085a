// Runs `npm start` in this checkout like a new user: register, upload every format, fetch, stop, and timed restarts. With `--once`,
// one restart and no comparison of times.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';

const project = dirname(import.meta.dirname);
const account = { email: 'first@example.com', password: 'correct horse battery' };
const restarts = process.argv.includes('--once') ? 1 : 3;

/** Made with heif-enc, since sharp does not write HEVC: 64 x 48 pixels of one colour. */
const heic =
  'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAA' +
  'AAACAAAAEGlkYXQAAAAAAEAAMAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAAGAACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYA' +
  'AAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe' +
  '8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAAAwAgAAAD' +
  'ACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAQAAAADAAAAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAA' +
  'AgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAACBtZGF0AAAAFCgBr1jm9Oq+KPf/cz/+k4J5Gp3w';
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><circle cx="32" cy="24" r="20"/></svg>';
const flat = sharp({ create: { width: 64, height: 48, channels: 3, background: '#3a7' } });
const written = ['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'].map(async (format) => [
  `image/${format}`,
  await flat.clone().toFormat(format).toBuffer(),
]);
/** A picture of every accepted format, by its type. */
const pictures = new Map([
  ...(await Promise.all(written)),
  ['image/svg+xml', Buffer.from(svg)],
  ['image/heic', Buffer.from(heic, 'base64')],
]);

function expect(condition, text) {
  if (!condition) throw new Error(`Expected: ${text}`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** @returns all processes with their parents and command lines */
function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]);
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), parent, command }];
      } catch {
        return [];
      }
    });
}

function serverBelow(npm) {
  const all = processes();
  const below = (pid) => all.filter(({ parent }) => parent === pid).flatMap((each) => [each, ...below(each.pid)]);
  const server = below(npm).find(({ command }) => /^\S*node .*scripts\/start\.mjs/.test(command));
  expect(server, 'a server below npm');
  return server.pid;
}

/** @returns the times of the last builds */
function stamps() {
  const names = readdirSync(join(project, 'build')).filter((name) => name.endsWith('.stamp'));
  return names.map((name) => `${name} ${statSync(join(project, 'build', name)).mtimeMs}`).join('\n');
}

async function untilNothingRuns() {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const left = processes().filter(({ pid, command }) => pid !== process.pid && command.includes(`${project}/`));
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Left running: ${left.map(({ command }) => command).join('; ')}`);
    await sleep(50);
  }
}

async function start() {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const begun = Date.now();
  const npm = spawn('npm', ['start'], {
    cwd: project,
    env: { ...process.env, PORT: String(port), METRICS_PORT: String(metricsPort), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exit = once(npm, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  const ready = () =>
    fetch(`${origin}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await ready())) {
    if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`);
    expect(Date.now() - begun < 120_000, 'a server that is ready within two minutes');
    await sleep(20);
  }
  return { origin, metrics: `http://127.0.0.1:${metricsPort}/metrics`, npm, exit, ms: Date.now() - begun };
}

/** Stops the server like a supervisor does, and expects exit code 0 from the server and npm. */
async function stop({ npm, exit }) {
  process.kill(serverBelow(npm.pid), 'SIGTERM');
  const [code, signal] = await exit;
  expect(code === 0, `the exit code 0, but it was ${code ?? signal}`);
  await untilNothingRuns();
}

/** Stops only npm, and expects the server to end too. */
async function stopNpm({ npm, exit }) {
  npm.kill('SIGTERM');
  await exit;
  await untilNothingRuns();
}

async function call(origin, path, status, options) {
  const answer = await fetch(`${origin}${path}`, options);
  expect(
    answer.status === status,
    `${status} from ${path}, but it was ${answer.status}: ${await answer.clone().text()}`,
  );
  return answer;
}

function json(body) {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function logIn(origin) {
  const { access_token: token } = await (await call(origin, '/api/auth/login', 200, json(account))).json();
  return { authorization: `Bearer ${token}` };
}

async function use({ origin, metrics }) {
  const page = await (await call(origin, '/', 200)).text();
  expect(page.includes('<div id="root">'), 'the page at /');
  await call(origin, '/api/auth/register', 201, json({ username: 'first', ...account }));
  const headers = await logIn(origin);
  const body = new FormData();
  for (const [type, bytes] of pictures) body.append('images', new Blob([bytes], { type }), nameOf(type));
  await call(origin, '/api/images/upload', 201, { method: 'POST', headers, body });
  await findAll(origin);
  const level = /^gallery_decoder_isolation\{level="(\w+)"\} 1$/m.exec(await (await fetch(metrics)).text())?.[1];
  console.log(`isolation of decoders: ${level}`);
  expect(level !== undefined && level !== 'process', `isolated decoders, but the level is ${level}`);
}

const nameOf = (type) => `dot.${type.slice('image/'.length).replace('+xml', '')}`;

/** Finds the picture of each format, with its own bytes and a thumbnail. */
async function findAll(origin) {
  const headers = await logIn(origin);
  const { images } = await (await call(origin, '/api/images/?search=DOT', 200, { headers })).json();
  expect(images.length === pictures.size, `${pictures.size} pictures, but there were ${images.length}`);
  for (const [type, bytes] of pictures) {
    const image = images.find(({ filename }) => filename === nameOf(type));
    expect(image?.content_type === type, `the picture ${nameOf(type)}, as ${type}`);
    const original = await call(origin, new URL(image.url).pathname, 200);
    expect(bytes.equals(Buffer.from(await original.arrayBuffer())), `the bytes of ${image.filename} from its link`);
    const thumbnail = await call(origin, new URL(image.thumbnail_url).pathname, 200);
    const { format, width } = await sharp(Buffer.from(await thumbnail.arrayBuffer())).metadata();
    expect(format === 'webp' && width > 0, `a thumbnail of ${image.filename}`);
  }
}

let running;
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    running?.npm.kill('SIGTERM');
    process.exit(1);
  });
}
try {
  running = await start();
  console.log(`first start: ready after ${running.ms} ms`);
  const first = running.ms;
  await use(running);
  await stop(running);
  const built = stamps();
  const times = [];
  // The fastest of three, since other load on the machine only adds time.
  for (let round = 0; round < restarts; round += 1) {
    running = await start();
    times.push(running.ms);
    if (round === 0) await findAll(running.origin);
    await (round === 0 ? stopNpm(running) : stop(running));
  }
  console.log(`started again: ready after ${times.join(', ')} ms`);
  // About a second on an idle machine; only ratios are checked, since other load varies.
  expect(stamps() === built, 'nothing built twice');
  expect(Math.min(...times) < first / 2, 'a second start in less than half the time of the first');
} catch (error) {
  console.error(error.message);
  running?.npm.kill('SIGTERM');
  process.exitCode = 1;
}
