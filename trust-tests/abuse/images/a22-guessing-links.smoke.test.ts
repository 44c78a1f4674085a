import { randomBytes } from 'node:crypto';
import { picture } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, pathOf, store } from '../../testing/account.ts';
import { call, refused } from '../../testing/call.ts';
import { times } from '../../testing/full.ts';
import { serve } from '../../testing/machine/loopback.ts';
import { counts } from '../../testing/tell.ts';

const guesses = times(1000, 1_000_000);
counts({ made: guesses, wanted: 1_000_000, what: 'guesses' });

abuse('A22', 'random and nearly right link keys answer 404', async (t) => {
  const { origin } = await serve(t);
  const [image] = await store(origin, await newAccount(origin), [{ name: 'a.png', bytes: await picture() }]);
  const path = pathOf(image?.url);
  const key = path.slice(3, 25);
  let found = 0;
  for (let from = 0; from < guesses; from += 50) {
    const some = Array.from({ length: 50 }, () => call(origin, `/i/${randomBytes(16).toString('base64url')}.png`));
    found += (await Promise.all(some)).filter(({ status }) => status !== 404).length;
  }
  t.equal(found, 0, `of ${guesses} guesses`);

  const swapped = key.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  const near = [
    key.slice(0, -1),
    `${key}A`,
    swapped,
    `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
    key.slice(0, 12),
    '*',
    '%25',
    '_'.repeat(22),
    `${key.slice(0, 21)}_`,
    `${key.slice(0, 21)}%25`,
    '',
  ];
  for (const guess of near.filter((one) => one !== key)) {
    refused(t, await call(origin, `/i/${guess}.png`), 404, guess);
    refused(t, await call(origin, `/i/${guess}/thumbnail.webp`), 404, guess);
  }
  for (const other of [
    `/i/${key}`,
    `/i/${key}.jpg`,
    `/i/${key}.PNG`,
    `/i/${key}.png.html`,
    `/i/${key}/`,
    `/i/${key}/original`,
    `/i/${key}/screen.webp`,
  ])
    refused(t, await call(origin, other), 404, other);
});
