import { picture } from '../../../server/testing/pictures.ts';
import { openSocket } from '../../../server/testing/socket.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, pathOf, store } from '../../testing/account.ts';
import { call } from '../../testing/call.ts';
import { multipart } from '../../testing/load/multipart.ts';
import { serve } from '../../testing/machine/loopback.ts';

/** Line breaks: literal, encoded, double-encoded, and letters whose low bytes are CR and LF. */
const breaks = ['\r\n', '\n', '\r', '%0d%0a', '%0D%0A', '%250d%250a', '%E5%98%8A%E5%98%8D', '嘊嘍', '\u2028', '\0'];
const injected = breaks.map((end) => `a${end}X-Injected: yes${end}${end}<script>`);

async function raw(origin: string, request: string): Promise<string> {
  const { send, received } = await openSocket(origin);
  await send(Buffer.from(request));
  return received;
}

abuse('A19', 'no value of a request becomes a response header', async (t) => {
  const { origin } = await serve(t, { corsOrigin: ['https://client.example'] });
  const account = await newAccount(origin);
  const [image] = await store(origin, account, [{ name: 'a.png', bytes: await picture() }]);
  const path = pathOf(image?.url);
  const end = '\r\nHost: localhost\r\nConnection: close\r\n\r\n';

  for (const text of injected) {
    const inPath = text.replace(/[\s\0<>]/g, encodeURIComponent);
    const requests: Record<string, string> = {
      'the path': `GET /${inPath} HTTP/1.1${end}`,
      'the unescaped path': `GET /${text} HTTP/1.1${end}`,
      'a link': `GET ${path}${inPath} HTTP/1.1${end}`,
      'the query': `GET /login?lang=${inPath}&next=${inPath} HTTP/1.1${end}`,
      'the search': `GET /api/images/?search=${inPath} HTTP/1.1\r\nAuthorization: Bearer ${account.token}${end}`,
      'the origin': `GET /api/health/live HTTP/1.1\r\nOrigin: https://client.example${text.slice(1)}${end}`,
      'a preflight': `OPTIONS /api/images/ HTTP/1.1\r\nOrigin: https://client.example\r\nAccess-Control-Request-Method: DELETE\r\nAccess-Control-Request-Headers: ${inPath}${end}`,
      'the range': `GET ${path} HTTP/1.1\r\nRange: bytes=0-${inPath}${end}`,
      'the validator': `GET ${path} HTTP/1.1\r\nIf-None-Match: "${inPath}"${end}`,
      'the language': `GET /login HTTP/1.1\r\nAccept-Language: ${inPath}${end}`,
      'the request id': `GET /api/none HTTP/1.1\r\nX-Request-Id: ${inPath}\r\nRequest-Id: ${inPath}${end}`,
      'the host': `GET /api/images/ HTTP/1.1\r\nHost: ${inPath}\r\nAuthorization: Bearer ${account.token}\r\nConnection: close\r\n\r\n`,
    };
    for (const [about, request] of Object.entries(requests)) {
      const answer = await raw(origin, request);
      const head = answer.split('\r\n\r\n')[0] ?? '';
      t.notMatch(head, /^x-injected/im, `${about}: ${encodeURIComponent(text.slice(0, 4))}`);
      t.notMatch(head, /^HTTP\/1\.1 5/);
    }
  }
});

abuse('A19', 'no file name becomes a response header of its link', async (t) => {
  const { origin } = await serve(t);
  const { bearer } = await newAccount(origin);
  const body = await picture();
  const form = multipart(
    injected.map((text) => ({
      head: `Content-Disposition: form-data; name="images"; filename="${text.replace(/[\r\n]/g, (letter) => (letter === '\r' ? '%0D' : '%0A'))}.png"`,
      body,
    })),
  );
  const answer = await call(origin, '/api/images/upload', {
    method: 'POST',
    headers: { ...form.headers, ...bearer },
    body: form.body,
  });
  const { images = [] } = JSON.parse(answer.body) as { images?: { url: string }[] };
  t.ok(images.length > 0, `some are stored: ${answer.status}`);
  for (const { url } of images) {
    const { rawHeaders, status } = await call(origin, pathOf(url));
    t.equal(status, 200);
    t.notOk(rawHeaders.some((name) => name.toLowerCase() === 'x-injected'));
  }
});
