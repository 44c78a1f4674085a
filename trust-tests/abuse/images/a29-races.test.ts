import { form } from '../../../server/testing/form.ts';
import { picture } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, randomCredentials, store } from '../../testing/account.ts';
import { asJson, call } from '../../testing/call.ts';
import { nothingLeft } from '../../testing/left-over.ts';
import { serve } from '../../testing/machine/loopback.ts';

const fifty = <T>(one: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 50 }, (_, index) => one(index)));
const counted = (statuses: number[]) => {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

abuse('A29', 'one of fifty simultaneous registrations of a name or an email succeeds', async (t) => {
  const { origin, sql } = await serve(t);
  const one = randomCredentials();
  const byName = await fifty((index) =>
    call(origin, '/api/auth/register', asJson({ ...one, email: `racer-${index}@example.com` })),
  );
  t.same(counted(byName.map(({ status }) => status)), { 201: 1, 409: 49 });
  const byEmail = await fifty((index) =>
    call(origin, '/api/auth/register', asJson({ ...one, username: `racer-${index}`, email: 'One@Example.com' })),
  );
  t.same(counted(byEmail.map(({ status }) => status)), { 201: 1, 409: 49 });
  t.equal((await sql('select id from users')).length, 2);
});

abuse('A29', 'one of fifty simultaneous deletions of a picture answers 204', async (t) => {
  const at = await serve(t);
  const account = await newAccount(at.origin);
  const [image] = await store(at.origin, account, [{ name: 'a.png', bytes: await picture() }]);
  const path = `/api/images/delete/${image?.id}`;
  const answers = await fifty(() => call(at.origin, path, { method: 'DELETE', headers: account.bearer }));
  t.same(counted(answers.map(({ status }) => status)), { 204: 1, 404: 49 });
  await nothingLeft(t, at);
});

abuse('A29', 'fifty simultaneous uploads of one file are stored as fifty complete pictures', async (t) => {
  const at = await serve(t);
  const account = await newAccount(at.origin);
  const { headers, payload } = await form([{ name: 'same.png', bytes: await picture() }]);
  const options = { method: 'POST', headers: { ...headers, ...account.bearer }, body: payload };
  const answers = await fifty(() => call(at.origin, '/api/images/upload', options));
  t.same(counted(answers.map(({ status }) => status)), { 201: 50 });
  const urls = answers.map(({ body }) => JSON.parse(body).images[0].url);
  t.equal(new Set(urls).size, 50);
  await nothingLeft(t, at, 50);
});
