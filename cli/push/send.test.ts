import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../../server/testing/app.ts';
import { serve } from '../testing/serve.ts';
import { createFolderAlbums } from './albums.ts';
import { openJournal } from './journal.ts';
import { pushFiles } from './run.ts';
import { sendFile } from './send.ts';

async function fileIn(t: Test) {
  const root = await temporaryFolder(t);
  const path = join(root, 'a.png');
  await writeFile(path, 'four');
  const { size, mtimeMs: mtime } = await stat(path);
  const journal = openJournal(join(root, 'journal.jsonl'));
  t.teardown(journal.close);
  return { root, journal, file: { path, below: 'a.png', name: 'a.png', folder: '', size, mtime } };
}

t.test('a continued upload is put into the album of its folder unless it was created for it', async (t) => {
  for (const [before, isPlaced] of [
    [undefined, true],
    ['old', true],
    ['new', false],
  ] as const) {
    const { journal, file } = await fileIn(t);
    const placed: (string | undefined)[] = [];
    const { connection } = await serve(t, ({ method, url }, response) => {
      if (method === 'HEAD') return void response.writeHead(200, { 'upload-offset': '4' }).end();
      if (method === 'POST') placed.push(url);
      response.end(JSON.stringify({ image: { id: 'i' }, rejected: null }));
    });
    const { path, size, mtime } = file;
    const entry = { path, size, mtime, key: 'k', upload: '/api/uploads/u', album: before };
    const target = { connection, journal, albumFor: async () => 'new', forgetAlbum: () => {} };
    await sendFile(target, { file, key: 'k', entry }, () => {});
    t.same(placed, isPlaced ? ['/api/albums/new/images'] : [], `created for ${before}`);
    t.match(journal.find(file), { image: 'i', album: 'new' });
  }
});

t.test('an image that could not be put into its album is not recorded as in it', async (t) => {
  const { journal, file } = await fileIn(t);
  const { connection } = await serve(t, ({ method }, response) => {
    if (method === 'HEAD') response.writeHead(200, { 'upload-offset': '4' }).end();
    else if (method === 'POST') response.writeHead(409).end(JSON.stringify({ code: 'ALBUM_FULL', message: 'Full.' }));
    else response.end(JSON.stringify({ image: { id: 'i' }, rejected: null }));
  });
  const { path, size, mtime } = file;
  const entry = { path, size, mtime, key: 'k', upload: '/api/uploads/u' };
  const target = { connection, journal, albumFor: async () => 'new', forgetAlbum: () => {} };
  await t.rejects(
    sendFile(target, { file, key: 'k', entry }, () => {}),
    { code: 'ALBUM_FULL' },
  );
  t.equal(journal.find(file)?.album, undefined);
});

t.test('the id of an album that was deleted is forgotten', async (t) => {
  const { root, journal, file } = await fileIn(t);
  let albums = [{ id: 'old', name: 'below' }];
  const { connection } = await serve(t, ({ url = '' }, response) => {
    if (url === '/api/albums') return void response.end(JSON.stringify({ albums }));
    if (url === '/api/images/uploaded') return void response.end(JSON.stringify({ ids: [null] }));
    if (url.endsWith('album=new')) return void response.end(JSON.stringify({ images: [{ id: 'i' }] }));
    albums = [{ id: 'new', name: 'below' }];
    response.writeHead(404).end(JSON.stringify({ code: 'NOT_FOUND', message: 'There is no such album.' }));
  });
  const found = { files: [{ ...file, folder: 'below' }], others: 0, hidden: 0, failed: [] };
  const { idFor: albumFor, forget: forgetAlbum } = createFolderAlbums(connection, root);
  const pass = { connection, journal, albumFor, forgetAlbum, isDryRun: false };
  t.match(await pushFiles(pass, found), { stored: 0, failed: 1 });
  t.match(await pushFiles(pass, found), { stored: 1, failed: 0 });
});
