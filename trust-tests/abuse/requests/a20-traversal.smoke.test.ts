import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { picture } from '../../../server/testing/pictures.ts';
import { openSocket } from '../../../server/testing/socket.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, pathOf, store } from '../../testing/account.ts';
import { full } from '../../testing/full.ts';
import { serve } from '../../testing/machine/loopback.ts';
import { measured } from '../../testing/measured.ts';
import { corpusList, listsLeftOut } from '../../testing/pictures/corpus.ts';

const up = [
  '../',
  '..\\',
  '%2e%2e/',
  '%2e%2e%2f',
  '..%2f',
  '..%5c',
  '%252e%252e%252f',
  '..%c0%af',
  '..%ef%bc%8f',
  '....//',
  '..;/',
  './',
  '%00../',
  '..%00/',
  '%u002e%u002e/',
];
const targets = [
  'etc/passwd',
  'package.json',
  'jwt-secret',
  'files/installation',
  '.git/config',
  'build/server/main.js',
  'build/program/main.js',
];
const own = up.flatMap((step) => targets.map((target) => `${step.repeat(6)}${target}`));
const further = [
  '/etc/passwd',
  '//etc/passwd',
  '/%2fetc/passwd',
  'file:///etc/passwd',
  'assets/../../server/main.js',
  'assets/../../program/main.js',
  'assets/..%2f..%2fserver%2fmain.js',
  'ASSETS/../index.html%00.png',
  'index.html/../../../package.json',
  'index.html%00',
  '~root/.bashrc',
  'assets',
  'assets/',
];
const prefixes = ['/', '/assets/', '/i/', '/api/images/', '/api/images/delete/'];

abuse('A20', 'no path reaches a file outside the served ones', async (t) => {
  const at = await serve(t);
  const canary = 'the canary of this test';
  await writeFile(join(at.dataDir, 'canary.txt'), canary);
  await writeFile(join(at.dataDir, 'files', 'canary.txt'), canary);
  const secret = await readFile(join(at.dataDir, 'jwt-secret'), 'utf8');
  const account = await newAccount(at.origin);
  const [image] = await store(at.origin, account, [{ name: 'a.png', bytes: await picture() }]);
  const key = pathOf(image?.url).split('.')[0];

  const others = corpusList('traversal_names');
  const list = others.filter((_, index) => full || index % 3 === 0);
  const names = [...own, ...further, ...list, ...up.map((step) => `${step.repeat(3)}canary.txt`)];
  const places = names.flatMap((name) => prefixes.map((prefix) => `${prefix}${name}`));
  places.push(...up.map((step) => `${key}/${step.repeat(4)}canary.txt`), `${key}.png/../../canary.txt`);

  const open: string[] = [];
  const failed: string[] = [];
  const ask = async (place: string) => {
    const { send, received } = await openSocket(at.origin);
    const path = place.replace(/[\0-\x20]/g, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);
    await send(
      Buffer.from(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${account.token}\r\n\r\n`,
      ),
    );
    const answer = await received;
    const status = Number(answer.slice(9, 12));
    const body = answer.slice(answer.indexOf('\r\n\r\n'));
    const told = [
      canary,
      secret.trim(),
      'root:x:0',
      '"private": true',
      '[core]',
      'refuseToStart',
      'for 16-bit app support',
    ];
    if (told.some((text) => body.includes(text)) || (status < 400 && status !== 0)) open.push(`${status} ${place}`);
    if (status >= 500 || status === 0) failed.push(`${status} ${place}`);
  };
  for (let from = 0; from < places.length; from += 20) await Promise.all(places.slice(from, from + 20).map(ask));
  t.same(open, []);
  t.same(failed, []);
  const left = (others.length - list.length) * prefixes.length;
  if (!listsLeftOut())
    measured('G18', {
      part: 'paths',
      seen: `${open.length} of ${places.length}`,
      held: open.length + failed.length === 0,
      count: { made: places.length, wanted: places.length + left, what: 'paths' },
    });
});
