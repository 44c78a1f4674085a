/** The curl lines of the other products' documentations, word for word but for host and key, run by a shell. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { signIn } from '../../testing/account.ts';
import { createApiToken } from '../../testing/api-token.ts';
import { buildTestApp, listen, temporaryFolder } from '../../testing/app.ts';
import { without } from '../../testing/deployment.ts';
import { picture } from '../../testing/pictures.ts';

const app = await buildTestApp(t);
const origin = await listen(app);
const folder = await temporaryFolder(t);
const png = await picture();
const jpeg = await picture({ format: 'jpeg', width: 200, height: 100 });
for (const name of ['image.png', 'file.png', 'shot.png']) await writeFile(join(folder, name), png);
await writeFile(join(folder, 'image.jpeg'), jpeg);

const run = promisify(execFile);

/** @param line of a documentation, with its own host @param host that is replaced by this server */
async function shell(line: string, host: string, env: Record<string, string>, args: string[] = []): Promise<string> {
  const script = line.replaceAll(host, origin);
  const { stdout } = await run('bash', ['-c', script, 'script', ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  return stdout;
}

const account = await signIn(app);
const withJq = { skip: without('jq', 'jq') };
const { secret } = await createApiToken(app, account, ['images:upload']);

async function isStored(link: string, bytes: Buffer): Promise<boolean> {
  const answer = await fetch(link);
  return answer.ok && Buffer.from(await answer.arrayBuffer()).equals(bytes);
}

t.test('the line of Zipline’s page on errors uploads', async (t) => {
  const line = `curl -i -X POST https://zipline.example.com/api/upload \\
  -H "Authorization: $ZIPLINE_TOKEN" \\
  -F "file=@./image.png"`;
  const answer = await shell(line, 'https://zipline.example.com', { ZIPLINE_TOKEN: secret });
  t.match(answer, /^HTTP\/1\.1 200 OK/);
  const { files } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
  t.match(files, [{ id: /^[\da-f-]{36}$/, name: 'image.png', type: 'image/png' }]);
  t.ok(await isStored(files[0].url, png));

  const refused = await shell(line, 'https://zipline.example.com', { ZIPLINE_TOKEN: 'a-token-of-zipline' });
  t.match(refused, /^HTTP\/1\.1 401 /);
  t.match(JSON.parse(refused.slice(refused.indexOf('\r\n\r\n'))), {
    error: /header Authorization\.$/,
    statusCode: 401,
  });
});

t.test('the line of Zipline’s page on shell scripts uploads and prints the link', withJq, async (t) => {
  const line = `TOKEN="your token"
URL="https://yourdomain.com/api/upload"

curl -H "authorization: $TOKEN" -H "content-type: multipart/form-data" $URL -F file=@$1 | jq -r .files[0].url | tr -d '\\n'`;
  const link = await shell(line.replace('your token', secret), 'https://yourdomain.com', {}, ['file.png']);
  t.ok(await isStored(link, png), link);
});

t.test('the line of Zipline’s page on Flameshot uploads', withJq, async (t) => {
  const line = `curl -H "Content-Type: multipart/form-data" -H "authorization: $TOKEN" -F file=@shot.png $HOST/api/upload | jq -r .files[0].url`;
  const link = await shell(line, 'https://none.example', { TOKEN: secret, HOST: origin });
  t.ok(await isStored(link.trim(), png), link);
});

t.test('the script that Zipline generates uploads and prints the link', async (t) => {
  const line = `curl -H "authorization: $TOKEN" https://zipline.example.com/api/upload -F "file=@$1;type=image/png" -H 'content-type: multipart/form-data' -H "x-zipline-deletes-at: 1d" -H "x-zipline-format: random" -H "x-zipline-no-json: true" -H "x-zipline-original-name: true"`;
  const link = await shell(line, 'https://zipline.example.com', { TOKEN: secret }, ['file.png']);
  t.ok(await isStored(link, png), link);
});

t.test('the line of Chevereto’s page on uploads uploads', async (t) => {
  const line = `curl --fail-with-body -X POST \\
  -H "X-API-Key: $key" \\
  -H "Content-Type: multipart/form-data" \\
  -F "source=@image.jpeg" \\
  http://mysite.com/api/1/upload`;
  const answer = JSON.parse(await shell(line, 'http://mysite.com', { key: secret }));
  t.match(answer, { status_code: 200, success: { code: 200 }, status_txt: 'OK' });
  t.ok(await isStored(answer.image.url, jpeg));
  t.ok((await fetch(answer.image.thumb.url)).ok);
  t.ok((await fetch(answer.image.url_viewer)).ok);
  t.equal((await fetch(answer.image.delete_url, { method: 'DELETE' })).status, 204);
  t.equal((await fetch(answer.image.url)).status, 404);

  const refused = await shell(`${line} || true`, 'http://mysite.com', { key: 'chv_key_here' });
  t.match(JSON.parse(refused), {
    status_code: 401,
    error: { message: /header X-API-Key\.$/ },
    status_txt: 'Unauthorized',
  });
});
