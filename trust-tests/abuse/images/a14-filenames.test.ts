import contentDisposition from 'content-disposition';
import type { Test } from 'tap';
import type { Image } from '../../../server/contract.ts';
import { picture } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { type Account, imagesOf, newAccount, pathOf, send } from '../../testing/account.ts';
import { call } from '../../testing/call.ts';
import { full } from '../../testing/full.ts';
import { nothingLeft, pictureFiles } from '../../testing/left-over.ts';
import { multipart } from '../../testing/load/multipart.ts';
import { type Loopback, serve } from '../../testing/machine/loopback.ts';
import { measured } from '../../testing/measured.ts';
import { corpusList, listsLeftOut } from '../../testing/pictures/corpus.ts';

const own = [
  '../../../../etc/passwd',
  '..\\..\\..\\windows\\win.ini',
  '/etc/cron.d/evil.png',
  'C:\\autoexec.bat',
  '\\\\server\\share\\a.png',
  '....//....//a.png',
  '%2e%2e%2f%2e%2e%2fa.png',
  'a\0.png',
  'photo.png\0.html',
  'gpj.\u202Egnp.exe',
  '\u200b\u200b.png',
  'two\r\nSet-Cookie: evil=1\r\n\r\n<script>.png',
  'quote".png',
  `";filename=evil.html;x=".png`,
  "it's; a=b, c.png",
  '',
  '.',
  '..',
  '....',
  ' ',
  '-rf.png',
  '--help',
  '~root.png',
  '.htaccess',
  'CON',
  'NUL.png',
  'com1.tar.gz',
  'a.png.',
  'a.png ',
  'a:b.png',
  'a|b<c>d*e?.png',
  '$(touch evil.png).png',
  '`id`.png',
  '$\x7bjndi:ldap://127.0.0.1/a}.png',
  '{{7*7}}.png',
  '%s%n%x.png',
  '<img src=x onerror=alert(1)>.png',
  "'; drop table images; --.png",
  '🌇👨‍👩‍👧‍👦.png',
  'صورة العائلة.png',
  'Cafe\u0301.png',
  'Caf\u00e9.png',
  'zalgo\u0300\u0301\u0302\u0303\u0304\u0305.png',
  '\ud83d half a pair.png',
  '__proto__',
  'constructor',
  `${'x'.repeat(4096)}.png`,
  `${'😀'.repeat(3000)}.png`,
];
const lists = [...corpusList('naughty_strings'), ...corpusList('traversal_names')];
const names = [...new Set([...own, ...lists.filter((_, index) => full || index % 4 === 0)])];

/** @returns the name that should be stored: the last part without control characters, or `image.png` if none is left */
function kept(sent: string): string {
  const last = sent.toWellFormed().split(/[\\/]/).at(-1) ?? '';
  const visible = Array.from(last)
    .filter((letter) => !/\p{Cc}/u.test(letter))
    .join('')
    .trim();
  return /^\.*$/.test(visible) ? 'image.png' : visible;
}

async function servedSafely(t: Test, { origin }: Loopback, { url, filename }: Image): Promise<void> {
  const { status, headers, rawHeaders } = await call(origin, pathOf(url), { method: 'HEAD' });
  const said = headers['content-disposition'] ?? '';
  t.equal(status, 200);
  t.match(said, /^[\x20-\x7e]{1,2000}$/, 'the header is short and ASCII');
  t.notOk(
    rawHeaders.some((name) => /set-cookie|evil/i.test(name) && name !== said),
    'no injected header',
  );
  const { type, parameters } = contentDisposition.parse(said);
  t.equal(type, 'inline');
  t.same(Object.keys(parameters), ['filename'], 'the name is the only parameter');
  const named = parameters.filename ?? '';
  t.ok(
    filename.toWellFormed().startsWith(named.slice(0, 100).replace(/\ufffd$/, '')),
    `the header has the name: ${named.slice(0, 40)}`,
  );
  t.notMatch(named, /[\\/]/, 'the name is not a path');
}

/** Uploads pictures under these names, 60 to a form. */
async function sendNamed(at: Loopback, account: Account, sent: string[]): Promise<Image[]> {
  const bytes = await picture();
  const images: Image[] = [];
  for (let from = 0; from < sent.length; from += 60) {
    const files = sent.slice(from, from + 60).map((name) => ({ name, bytes }));
    const answer = await send(at.origin, account, files);
    if (answer.status !== 201) throw new Error(`upload: ${answer.status} ${answer.body.slice(0, 300)}`);
    images.push(...imagesOf(answer));
  }
  return images;
}

abuse('A14', 'a file name is kept as sent and never becomes a path or a header', async (t) => {
  const at = await serve(t);
  const account = await newAccount(at.origin);
  const images = await sendNamed(at, account, names);
  t.equal(images.length, names.length);
  let harmed = 0;
  for (const [index, image] of images.entries()) {
    const wanted = kept(names[index] ?? '');
    // A name beyond 4,096 letters is cut: its beginning and its extension remain.
    const right = wanted.length <= 4096 ? image.filename === wanted : wanted.startsWith(image.filename.slice(0, 4000));
    // Forms do not escape backslashes: one at the end also escapes the quote behind it.
    if (names[index]?.endsWith('\\')) continue;
    t.ok(right, `${JSON.stringify(wanted.slice(0, 60))} is kept, was ${JSON.stringify(image.filename.slice(0, 60))}`);
    if (!right) harmed += 1;
    await servedSafely(t, at, image);
  }
  for (const path of await pictureFiles(at.dataDir))
    t.match(
      path,
      /^(?:originals|thumbnails|screens)\/[\da-f]{2}\/[\da-f-]{36}\.(?:png|webp)$/,
      'the file on disk is named by id',
    );
  await nothingLeft(t, at, names.length);
  const all = own.length + lists.length;
  if (!listsLeftOut())
    measured('G18', {
      part: 'names',
      seen: `${harmed} of ${names.length}`,
      held: t.passing(),
      count: { made: full ? all : names.length, wanted: all, what: 'names' },
    });
});

abuse('A14', 'repeated, encoded or malformed filename parameters never become a path', async (t) => {
  const at = await serve(t);
  const account = await newAccount(at.origin);
  const body = await picture();
  const dispositions = [
    `filename="good.png"; filename*=UTF-8''..%2f..%2fevil.png`,
    `filename*=UTF-8''%00%0d%0aevil.png; filename="good.png"`,
    `filename="good.png"; filename="../evil.png"`,
    `filename*=utf-16''%fe%ff; filename="good.png"`,
    `filename=../../evil.png`,
    `filename="a\\"b\\\\c.png"`,
    `filename="${Buffer.from('é').toString('latin1')}.png"`,
    `filename="${'../'.repeat(1000)}evil.png"`,
  ];
  for (const disposition of dispositions) {
    const head = `Content-Disposition: form-data; name="images"; ${disposition}\r\nContent-Type: image/png`;
    const form = multipart([{ head, body }]);
    const answer = await call(at.origin, '/api/images/upload', {
      method: 'POST',
      headers: { ...form.headers, ...account.bearer },
      body: form.body,
    });
    t.ok(
      [201, 400].includes(answer.status),
      `${disposition.slice(0, 60)}: ${answer.status} ${answer.body.slice(0, 100)}`,
    );
    if (answer.status !== 201) continue;
    for (const image of imagesOf(answer)) {
      t.notMatch(image.filename, /[\\/\p{Cc}]/u);
      await servedSafely(t, at, image);
    }
  }
  for (const path of await pictureFiles(at.dataDir)) t.notMatch(path, /evil|good|\.\./);
});
