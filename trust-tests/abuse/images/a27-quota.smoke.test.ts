import { form } from '../../../server/testing/form.ts';
import { noise } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, store } from '../../testing/account.ts';
import { call } from '../../testing/call.ts';
import { nothingLeft } from '../../testing/left-over.ts';
import { serve } from '../../testing/machine/loopback.ts';

abuse('A27', 'simultaneous uploads cannot exceed the quota together', async (t) => {
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
    t.equal(statuses.filter((status) => status === 201).length, 5, `by ${about}: exactly five are stored`);
    t.equal(statuses.filter((status) => status === 413).length, 35);
    t.match(await at.sql('select image_count, image_bytes::int as bytes from users'), [
      { image_count: 5, bytes: bytes.length * 5 },
    ]);
    await nothingLeft(t, at, 5);

    const { images } = JSON.parse((await call(at.origin, '/api/images/', { headers: account.bearer })).body);
    const remove = () =>
      call(at.origin, `/api/images/delete/${images[0].id}`, { method: 'DELETE', headers: account.bearer });
    await Promise.all(Array.from({ length: 10 }, remove));
    t.match(
      await at.sql('select image_count from users'),
      [{ image_count: 4 }],
      'ten deletions of one picture free one place',
    );
    await store(at.origin, account, [{ name: 'b.jpg', bytes }]);
    t.equal((await upload()).status, 413);
  }
});
