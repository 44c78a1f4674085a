import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../server/testing/app.ts';
import { bytesOf, pathOf, readable, typedPath } from './paths.ts';

const latin = Buffer.from('caf\xe9 \x93a\x94.jpg', 'latin1');

t.test('a name that is not UTF-8 keeps its bytes, and is shown as Western European text', (t) => {
  const path = `/f/${pathOf(latin)}`;
  t.same(bytesOf(path), Buffer.concat([Buffer.from('/f/'), latin]));
  t.equal(readable(path), '/f/café “a”.jpg');
  t.equal(JSON.parse(JSON.stringify(path)), path, 'the journal keeps it');
  for (const name of ['café.jpg', '\ufeffa\ufffd.png', '💀.gif']) {
    t.equal(pathOf(Buffer.from(name)), name);
    t.equal(bytesOf(name), name);
    t.equal(readable(name), name);
  }
  t.end();
});

t.test('an argument with bytes that are not UTF-8 finds its file', async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(Buffer.concat([Buffer.from(`${folder}/`), latin]), '');
  const path = await typedPath(join(folder, latin.toString()));
  t.same(bytesOf(path), Buffer.concat([Buffer.from(`${folder}/`), latin]));
  const missing = join(folder, 'no\ufffd.jpg');
  t.equal(await typedPath(missing), missing);
  await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from('caf\xe8 \x93a\x94.jpg', 'latin1')]), '');
  await t.rejects(typedPath(join(folder, latin.toString())), /Several names/);
});
