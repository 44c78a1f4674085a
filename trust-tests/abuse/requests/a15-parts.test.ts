import { gzipSync } from 'node:zlib';
import { picture } from '../../../server/testing/pictures.ts';
import { openSocket } from '../../../server/testing/socket.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount } from '../../testing/account.ts';
import { type Call, call, refused } from '../../testing/call.ts';
import { nothingLeft } from '../../testing/left-over.ts';
import { field, file, multipart, type Part } from '../../testing/load/multipart.ts';
import { serve } from '../../testing/machine/loopback.ts';

const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index));

abuse('A15', 'a malformed form is refused as a whole, with a message', async (t) => {
  const at = await serve(t);
  const { bearer } = await newAccount(at.origin);
  const png = await picture();
  const good = file('a.png', png);
  const typed = (type: string, body: string | Uint8Array): Call => ({ headers: { 'content-type': type }, body });
  const inner = multipart([good], undefined, 'inner');
  const nested: Part = {
    head: `Content-Disposition: form-data; name="images"\r\nContent-Type: multipart/mixed; boundary=inner`,
    body: inner.body,
  };
  const usual = multipart([good]);
  const whole = usual.body;

  const forms: Record<string, [Call, number | number[]]> = {
    '10,000 parts': [multipart(many(10_000, (index) => field(`f${index}`, ''))), 413],
    '1,500 files': [multipart(many(1500, (index) => file(`${index}.png`, png))), 413],
    'one file beyond the limit': [multipart(many(101, (index) => file(`${index}.png`, png))), 413],
    'no boundary': [typed('multipart/form-data', whole), 400],
    'an empty boundary': [typed('multipart/form-data; boundary=', whole), 400],
    'another boundary': [typed('multipart/form-data; boundary=other', whole), 400],
    'a boundary of 10,000 letters': [typed(`multipart/form-data; boundary=${'b'.repeat(10_000)}`, whole), 400],
    'no end': [multipart([good], ''), 400],
    'no body': [typed('multipart/form-data; boundary=b', ''), 400],
    'only the end': [typed('multipart/form-data; boundary=b', '--b--\r\n'), 400],
    'a form in a form': [multipart([nested]), 400],
    'fields instead of files': [multipart(many(5, () => field('images', 'a text'))), 400],
    'files of another field': [multipart([file('a.png', png, 'pictures')]), 400],
    'a field __proto__': [multipart([field('__proto__', '{"admin":true}'), good]), 400],
    'a file in a field __proto__': [multipart([file('a.png', png, '__proto__')]), 400],
    'a field constructor.prototype': [multipart([field('constructor[prototype][x]', 'y')]), 400],
    'a header of 200 KB': [multipart([{ head: `X-Long: ${'x'.repeat(200_000)}`, body: png }]), [400, 413]],
    '3,000 headers': [
      multipart([{ head: many(3000, (index) => `X-${index}: y`).join('\r\n'), body: png }]),
      [400, 413],
    ],
    'no header': [multipart([{ head: '', body: png }]), 400],
    'a header line without a colon': [multipart([{ head: 'this is not a header', body: png }]), 400],
    'a field of 2 MB': [multipart([field('caption', 'x'.repeat(2_000_000))]), [400, 413]],
    'gzip around the form': [
      { ...usual, headers: { ...usual.headers, 'content-encoding': 'gzip' }, body: gzipSync(whole) },
      [400, 415],
    ],
    'gzip around nothing': [
      { ...usual, headers: { ...usual.headers, 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(50_000_000)) },
      [400, 413, 415],
    ],
    'JSON named multipart': [typed('multipart/form-data; boundary=b', '{"images":[]}'), 400],
    'another multipart': [typed('multipart/mixed; boundary=----------------a-boundary-of-our-own', whole), [400, 415]],
    'plain bytes': [typed('image/png', png), [400, 415]],
    JSON: [typed('application/json', '{"images":["a"]}'), [400, 415]],
    'an empty type': [typed('', whole), [400, 415]],
  };
  for (const [about, [form, status]] of Object.entries(forms)) {
    const answer = await call(at.origin, '/api/images/upload', {
      ...form,
      method: 'POST',
      headers: { ...form.headers, ...bearer },
    });
    refused(t, answer, status, about);
  }
  await nothingLeft(t, at);
});

abuse('A15', 'two files of one name are both stored, and other fields are ignored', async (t) => {
  const at = await serve(t);
  const { bearer } = await newAccount(at.origin);
  const png = await picture();
  const form = multipart([
    field('owner_id', 'someone'),
    file('a.png', png),
    file('a.png', png),
    field('id', '1'),
    file('b.png', png, 'other'),
  ]);
  const answer = await call(at.origin, '/api/images/upload', {
    method: 'POST',
    headers: { ...form.headers, ...bearer },
    body: form.body,
  });
  t.equal(answer.status, 201);
  t.equal(JSON.parse(answer.body).images.length, 2);
  const long = multipart([file('x'.repeat(200_000), png)]);
  const cut = await call(at.origin, '/api/images/upload', {
    method: 'POST',
    headers: { ...long.headers, ...bearer },
    body: long.body,
  });
  t.ok(JSON.parse(cut.body).images[0].filename.length <= 4096, 'a name of 200 KB is cut');
  await nothingLeft(t, at, 3);
});

abuse('A15', 'a body of the wrong length, or without end, leaves nothing behind', async (t) => {
  const at = await serve(t, {
    options: { pace: { idle: 300, grace: 60_000, rate: 1, afterAnswer: 300, interval: 50 } },
  });
  const { token } = await newAccount(at.origin);
  const { headers, body } = multipart([file('a.png', await picture())]);
  const open = body.subarray(0, body.length - 10);
  const head = (...lines: string[]) =>
    [
      'POST /api/images/upload HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      `Authorization: Bearer ${token}`,
      `Content-Type: ${headers['content-type']}`,
      ...lines,
      '',
      '',
    ].join('\r\n');
  const chunk = (bytes: Uint8Array) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

  const sent: Record<string, (string | Uint8Array)[]> = {
    'more announced than sent': [head(`Content-Length: ${body.length + 5000}`), body],
    'chunks without end': [head('Transfer-Encoding: chunked'), chunk(open)],
    'a chunk size that is not a number': [head('Transfer-Encoding: chunked'), chunk(open), 'zz\r\n'],
    'an enormous chunk size': [head('Transfer-Encoding: chunked'), 'ffffffffffffffffff\r\n', body],
    'two lengths': [head('Content-Length: 10', `Content-Length: ${body.length}`), body],
    'a negative length': [head('Content-Length: -1'), body],
    'a length and chunks': [
      head(`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked'),
      chunk(body),
      '0\r\n\r\n',
    ],
    'an unknown transfer encoding': [head('Transfer-Encoding: gzip'), body],
    'cut inside the file': [head('Transfer-Encoding: chunked'), chunk(open), '0\r\n\r\n'],
  };
  for (const [about, pieces] of Object.entries(sent)) {
    const { send, received } = await openSocket(at.origin);
    for (const piece of pieces) await send(piece).catch(() => undefined);
    const answer = await received;
    t.notMatch(answer, /HTTP\/1\.1 (?:5|2)/, about);
  }
  await nothingLeft(t, at);

  const { socket, send, received } = await openSocket(at.origin);
  await send(head('Content-Length: 200'));
  await send(body);
  socket.end();
  t.notMatch(
    await received,
    /HTTP\/1\.1 (?:5|2)/,
    'less announced than sent: the rest is not read as a second request',
  );
  await nothingLeft(t, at);
});
