import t from 'tap';
import { serve } from '../testing/serve.ts';
import { allImages, deleteImage } from './calls.ts';

const absent = JSON.stringify({ code: 'NOT_FOUND', message: 'There is no such image.' });

t.test('an image that is gone after an unanswered deletion was deleted', async (t) => {
  for (const first of ['lost', 504] as const) {
    let calls = 0;
    const { connection } = await serve(t, (request, response) => {
      calls += 1;
      if (calls > 1) response.writeHead(404).end(absent);
      else if (first === 'lost') request.socket.destroy();
      else response.writeHead(first).end('<html>');
    });
    await t.resolves(deleteImage(connection, 'i'), String(first));
    t.equal(calls, 2);
  }
});

t.test('the deletion of an image that does not exist is refused', async (t) => {
  const { connection } = await serve(t, (_request, response) => void response.writeHead(404).end(absent));
  await t.rejects(deleteImage(connection, 'i'), { status: 404, message: 'There is no such image.' });
});

t.test('a search has the time zone of this computer, if it has a name', async (t) => {
  const { TZ } = process.env;
  t.teardown(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  const asked: (string | undefined)[] = [];
  const { connection } = await serve(t, (request, response) => {
    asked.push(request.url);
    response.end(JSON.stringify({ images: [], totalPages: 0 }));
  });
  for (const zone of ['Asia/Tokyo', 'Etc/Unknown']) {
    process.env.TZ = zone;
    for await (const _image of allImages(connection, { search: 'on:2026-11-29' }));
  }
  t.same(asked, [
    '/api/images?page=1&search=on%3A2026-11-29&time_zone=Asia%2FTokyo',
    '/api/images?page=1&search=on%3A2026-11-29',
  ]);
});
