import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { picture } from '../../../server/testing/pictures.ts';
import { query } from '../../../server/testing/postgres/embedded.ts';
import { openSocket } from '../../../server/testing/socket.ts';
import { openReceiver } from '../../../server/testing/trace-receiver.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, pathOf, store } from '../../testing/account.ts';
import { asJson, call } from '../../testing/call.ts';
import { startServer } from '../../testing/server-process.ts';

const escaped = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;

/** Decodes percent-escapes until none is left; malformed ones stay. */
function unescaped(text: string): string {
  const once = text.replace(/%([0-7][\da-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return once === text ? text : unescaped(once);
}

/** @returns paths that contain the key only after decoding */
function escapedPaths(prefix: string, key: string): string[] {
  const first = escaped(key[0] ?? '') + key.slice(1);
  const middle = key.slice(0, 10) + escaped(key[10] ?? '') + key.slice(11);
  const all = [...key].map(escaped).join('');
  const upper = all.toUpperCase();
  return [
    ...[first, middle, all, upper].map((form) => `/${prefix}/${form}.png`),
    ...[`/${prefix}/${middle}`, `/${escaped(prefix)}/${middle}`, `/${prefix}%2F${middle}.png`, `/${prefix}//${middle}`],
    ...[`/${prefix}/${middle}/thumbnail.webp`, `/${prefix}/%00${middle}`, `/${prefix}/${middle}x`],
    ...[`/${prefix}/${middle.replaceAll('%', '%25')}.png`, `/${middle}`, `/x/${first}.png`],
    ...[`/${prefix}/${middle}%`, `/${prefix}/${middle}%zz`, `/${prefix}/%zz${middle}`, `/${prefix}/%C3${middle}`],
  ];
}

/** Makes every kind of call that names a link, with the key in every possible place. */
async function callWithKey(origin: string, { link, page }: { link: string; page: string }, bearer: object) {
  const key = link.slice(3, 25);
  const paths = [
    link,
    page,
    ...[
      `/i/${key}/thumbnail.webp`,
      `/i/${key}/screen.avif`,
      `/i/${key}`,
      `/i/${key}.exe`,
      `/i/${key}/x/y`,
      `/i//${key}.png`,
    ],
    ...[
      `/i/${key}.png/`,
      `/i/${key}%2Fthumbnail.webp`,
      `/%69/${key}.png`,
      `/i/${key}%00.png`,
      `/i/${key}%`,
      `/I/${key}.png`,
    ],
    ...[`${page}/x`, `${page}?page=0`, `${page}?page=${key}`, `/${key}`, `/x/${key}.png`, `/dashboard/${key}`],
    ...[
      `/api/images/?search=${key}`,
      `/api/images/${key}/original`,
      `/api/images/archive?ids=${key}`,
      `/api/albums/${key}`,
    ],
    `/login?next=${encodeURIComponent(origin + link)}`,
    `//${key}/${key}`,
    `${origin}${link}`,
  ];
  const headers = {
    ...bearer,
    referer: origin + link,
    'x-request-id': key,
    'user-agent': link,
    cookie: `other=${key}`,
  };
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE']) {
      await call(origin, path, { method, headers });
    }
    for (const range of ['bytes=9-1', 'bytes=0-', 'bytes=-1,0-3', 'lines=1-2', key]) {
      await call(origin, path, { headers: { ...headers, range, 'if-range': key, 'if-none-match': key } });
    }
    await call(origin, path, { ...asJson({ ids: [key], name: link, email: key, password: key }) });
  }
  for (const path of [...escapedPaths('i', key), ...escapedPaths('a', page.slice(3, 25))]) {
    for (const method of ['GET', 'HEAD', 'DELETE']) await call(origin, path, { method, headers });
  }
  for (const line of [`GET ${link} HTTP/9.9`, `G\x01T ${link} HTTP/1.1`, `GET ${link} HTTP/1.1\r\nHost: ${key}/`]) {
    const { send: write, received } = await openSocket(origin);
    await write(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await received;
  }
}

abuse('A31', 'no link key reaches the log, the metrics or the traces, at any log level', async (t) => {
  const tracing = await openReceiver(t);
  const server = await startServer(t, {
    LOG_LEVEL: 'trace',
    SLOW_QUERY: '0.001ms',
    METRICS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: tracing.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
  const { origin, output, child, ended, dataDir, databaseUrl } = server;
  const account = await newAccount(origin);
  const [image] = await store(origin, account, [{ name: 'a.png', bytes: await picture() }]);
  const change = { ...asJson({ name: 'Shared' }), headers: { ...asJson({}).headers, ...account.bearer } };
  const { album } = JSON.parse((await call(origin, '/api/albums/', change)).body);
  const shared = await call(origin, `/api/albums/${album.id}/link`, { method: 'POST', headers: account.bearer });
  const keys = { link: pathOf(image?.url), page: pathOf(JSON.parse(shared.body).url) };
  for (let time = 0; time < 3; time += 1) await call(origin, pathOf(image?.thumbnail_url));
  await callWithKey(origin, keys, account.bearer);

  // Failures of the server itself: missing bytes, missing columns.
  await rm(join(dataDir, 'files', 'originals'), { recursive: true });
  await rm(join(dataDir, 'files', 'thumbnails'), { recursive: true });
  const failed: number[] = [];
  const fail = async (path: string) => failed.push((await call(origin, path, { headers: account.bearer })).status);
  await query(databaseUrl, 'update images set filename = filename');
  for (const path of [keys.link, pathOf(image?.thumbnail_url)]) await fail(path);
  await query(databaseUrl, 'alter table images rename column link_key to lost');
  await query(databaseUrl, 'alter table albums rename column link_key to lost');
  for (const path of [keys.link, keys.page, '/api/images/']) await fail(path);
  t.ok(failed.filter((status) => status >= 500).length >= 3, `failures were seen: ${failed}`);
  const metricsPort = /metrics[^\n]*?:(\d+)/i.exec(output())?.[1];
  const metrics = (await call(`http://127.0.0.1:${metricsPort}`, '/metrics')).body;
  t.match(metrics, /gallery_\w+/);
  child.kill('SIGTERM');
  t.equal(await ended, 0);
  t.ok(output().split('\n').length > 200, 'the log was written');
  const traces = tracing.raw().toString();
  t.match(traces, 'GET /i/:name', 'traces were sent');
  for (const secret of [keys.link.slice(3, 25), keys.page.slice(3, 25)]) {
    const lines = output()
      .split('\n')
      .filter((line) => unescaped(line).includes(secret));
    t.same(lines.slice(0, 20), [], 'not in the log');
    t.notOk(unescaped(metrics).includes(secret), 'not in the metrics');
    t.notOk(unescaped(traces).includes(secret), 'not in the traces');
  }
});
