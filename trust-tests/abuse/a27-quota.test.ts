import { form } from '../../server/testing/form.ts';
import { noise, picture } from '../../server/testing/pictures.ts';
import { abuse } from '../testing/abuse.ts';
import { imagesOf, newAccount, send, store } from '../testing/account.ts';
import { call, refused } from '../testing/call.ts';
import { times } from '../testing/full.ts';
import { nothingLeft } from '../testing/left-over.ts';
import { serve } from '../testing/loopback.ts';
import { counts } from '../testing/tell.ts';

const limit = times(30, 1000);
counts({ made: limit * 10, wanted: 10_000, what: 'files' });

abuse('A27', 'small files by the thousand end at the limit', async (t) => {
  const at = await serve(t, { quotaImages: limit });
  const account = await newAccount(at.origin);
  const bytes = await picture({ width: 2, height: 2 });
  let stored = 0;
  for (let sent = 0; sent < limit * 10; sent += 20) {
    const answer = await send(
      at.origin,
      account,
      Array.from({ length: 20 }, (_, index) => ({ name: `${index}.png`, bytes })),
    );
    if (answer.status === 413) refused(t, answer, 413, 'at the limit');
    else stored += imagesOf(answer).length;
  }
  t.equal(stored, limit);
  const more = await send(at.origin, account, [{ name: 'more.png', bytes }]);
  refused(t, more, 413, 'one more');
  t.match(JSON.parse(more.body), { code: 'QUOTA_EXCEEDED', message: new RegExp(`${limit} of ${limit} images`) });
  const other = await newAccount(at.origin);
  t.equal((await send(at.origin, other, [{ name: 'a.png', bytes }])).status, 201, 'another account has its own');
  t.match(await at.sql(`select image_count from users where id = '${account.id}'`), [{ image_count: limit }]);
  await nothingLeft(t, at, limit + 1);
});

abuse('A27', 'uploads at once do not slip past the limit together', async (t) => {
  const bytes = await noise(40, 30);
  for (const [about, quota] of Object.entries({ count: { quotaImages: 5 }, bytes: { quota: bytes.length * 5 + 10 } })) {
    const at = await serve(t, quota);
    const account = await newAccount(at.origin);
    const { headers, payload } = await form([{ name: 'a.jpg', bytes }]);
    const upload = () =>
      call(at.origin, '/api/images/upload', {
        method: 'POST',
        headers: { ...headers, ...account.bearer },
        body: payload,
      });
    const statuses = (await Promise.all(Array.from({ length: 40 }, upload))).map(({ status }) => status);
    t.equal(statuses.filter((status) => status === 201).length, 5, `by ${about}: five, not one more`);
    t.equal(statuses.filter((status) => status === 413).length, 35);
    t.match(await at.sql('select image_count, image_bytes::int as bytes from users'), [
      { image_count: 5, bytes: bytes.length * 5 },
    ]);
    await nothingLeft(t, at, 5);

    const { images } = JSON.parse((await call(at.origin, '/api/images/', { headers: account.bearer })).body);
    const remove = () =>
      call(at.origin, `/api/images/delete/${images[0].id}`, { method: 'DELETE', headers: account.bearer });
    await Promise.all(Array.from({ length: 10 }, remove));
    t.match(await at.sql('select image_count from users'), [{ image_count: 4 }], 'ten deletions of one give back one');
    await store(at.origin, account, [{ name: 'b.jpg', bytes }]);
    t.equal((await upload()).status, 413);
  }
});
