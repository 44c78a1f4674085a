import { abuse } from '../../testing/abuse.ts';
import { newAccount } from '../../testing/account.ts';
import { call, refused } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';

abuse('A28', 'a list accepts one whole page number from 1 and one search text', async (t) => {
  const { origin } = await serve(t);
  const { bearer } = await newAccount(origin);
  const list = (query: string) => call(origin, `/api/images/?${query}`, { headers: bearer });
  const wrong = [
    '-1',
    '0',
    '1.5',
    '1e9',
    '0x10',
    'NaN',
    'Infinity',
    '',
    '%201',
    '1;drop',
    "1'",
    '%D9%A1',
    '1%00',
    'null',
    '+1',
    '--1',
    '1,2',
  ];
  for (const page of wrong) refused(t, await list(`page=${page}`), 400, `page=${page}`);
  for (const query of ['page=1&page=2', 'page[]=1', 'page[$gt]=0', 'search=a&search=b'])
    t.ok([200, 400].includes((await list(query)).status), query);
  refused(t, await list('search=a&search=b'), 400, 'two searches');
  for (const query of ['sort=filename;drop%20table%20images', 'sort=', 'sort=date&sort=name', 'order=1)', 'order=ASC;'])
    refused(t, await list(query), 400, query);
  for (const page of ['2', '1000000000', '9007199254740993', '9'.repeat(300), '0001']) {
    const answer = await list(`page=${page}`);
    t.equal(answer.status, 200, page.slice(0, 20));
    t.same(JSON.parse(answer.body).images, []);
  }
  for (const query of ['limit=1000000', 'pageSize=-1', 'offset=-1', 'owner_id=*'])
    t.equal((await list(query)).status, 200, `${query} is ignored`);
});
