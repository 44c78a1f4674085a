import { picture } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { imagesOf, newAccount, send } from '../../testing/account.ts';
import { refused } from '../../testing/call.ts';
import { times } from '../../testing/full.ts';
import { nothingLeft } from '../../testing/left-over.ts';
import { serve } from '../../testing/machine/loopback.ts';
import { counts } from '../../testing/tell.ts';

const limit = times(30, 1000);
counts({ made: limit * 10, wanted: 10_000, what: 'files' });

abuse('A27', 'thousands of small files are refused at the image quota', async (t) => {
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
  t.equal((await send(at.origin, other, [{ name: 'a.png', bytes }])).status, 201, 'another account has its own quota');
  t.match(await at.sql(`select image_count from users where id = '${account.id}'`), [{ image_count: limit }]);
  await nothingLeft(t, at, limit + 1);
});
