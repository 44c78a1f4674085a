/** One hundred 30-MB pictures, eight at a time: how much memory does the server take? See README.md beside this. */
import { cpus, release, totalmem } from 'node:os';
import { type BenchServer, startServer } from './bench-server.ts';
import { makePictures, type Picture } from './pictures.ts';
import { watchMemory } from './processes.ts';

const UPLOADS = 100;
const AT_ONCE = 8;
const SAMPLE_MS = 100;
const LIMIT_BYTES = 512e6;

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

async function post(origin: string, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${origin}/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function signIn(origin: string): Promise<string> {
  const account = { email: 'bench@example.com', password: 'a long password for a bench' };
  await post(origin, 'register', { username: 'bench', ...account });
  const answer = await post(origin, 'login', account);
  return (answer as { access_token: string }).access_token;
}

async function upload(origin: string, token: string, picture: Picture, number: number): Promise<number> {
  const bytes = picture.varied(number);
  const form = new FormData();
  form.append('images', new Blob([new Uint8Array(bytes)], { type: picture.type }), `${number}-${picture.name}`);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${origin}/api/images/upload`, { method: 'POST', headers, body: form });
  if (answer.status !== 201) throw new Error(`upload ${number} answered ${answer.status}: ${await answer.text()}`);
  return bytes.length;
}

async function uploadAll(origin: string, token: string, pictures: Picture[]): Promise<number> {
  let next = 0;
  let sent = 0;
  const lane = async () => {
    for (let number = next++; number < UPLOADS; number = next++) {
      const picture = pictures[number % pictures.length];
      if (!picture) throw new Error('there is no picture to upload');
      const bytes = await upload(origin, token, picture, number);
      sent += bytes;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return sent;
}

async function measure({ origin, pid }: BenchServer, pictures: Picture[]): Promise<boolean> {
  const token = await signIn(origin);
  const watch = watchMemory(pid, SAMPLE_MS);
  const idle = megabytes(watch.now().all);
  const start = Date.now();
  const sent = await uploadAll(origin, token, pictures);
  const seconds = (Date.now() - start) / 1000;
  const peak = watch.stop();
  console.log(`uploaded: ${UPLOADS} files, ${megabytes(sent)}, ${AT_ONCE} at a time, in ${seconds.toFixed(1)} s`);
  console.log(`before the first upload: ${idle}`);
  console.log(`peak of the app's own process: ${megabytes(peak.app)}`);
  console.log(
    `peak of all its processes without Postgres: ${megabytes(peak.all)} (at most ${peak.processes} processes, ${peak.samples} samples)`,
  );
  console.log(`the same with shared pages counted once (PSS): ${megabytes(peak.proportional)}`);
  console.log(`limit: ${megabytes(LIMIT_BYTES)}: ${peak.all <= LIMIT_BYTES ? 'held' : 'EXCEEDED'}`);
  return peak.all <= LIMIT_BYTES;
}

if (process.platform !== 'linux') throw new Error('This bench reads /proc: run it on Linux.');
console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, ${megabytes(totalmem())}, ` +
    `Linux ${release()}, Node ${process.versions.node}`,
);
const pictures = await makePictures();
const server = await startServer();
try {
  if (!(await measure(server, pictures))) process.exitCode = 1;
} finally {
  await server.stop();
}
