/** A share that ends, at three processes and behind a proxy with a cache. */
import tap from 'tap';
import type { Share } from '../server/contract.ts';
import { newAccount, pathOf, store } from '../trust-tests/testing/account.ts';
import { asJson, call } from '../trust-tests/testing/call.ts';
import { pictures } from '../trust-tests/testing/load/storm.ts';
import { withoutPostgres } from '../trust-tests/testing/machine/tools.ts';
import { startProxy, withoutNginx } from './testing/proxy.ts';
import { startScene } from './testing/scene.ts';
import { chosenKind, withoutChosen } from './testing/shared-storage.ts';

/** Milliseconds after the answer to the owner. */
const bound = 1000;

tap.setTimeout(180_000);
tap.test(
  'an ended share answers 410 within a second at three processes and behind a cache',
  { skip: withoutNginx || withoutPostgres || withoutChosen },
  async (t) => {
    const { slots } = await startScene(t, chosenKind);
    const origins = slots.map(({ origin }) => origin);
    const { origin } = await startProxy(t, origins, true);
    const account = await newAccount(origin);
    const [image] = await store(origin, account, await pictures(1));
    const json = asJson({ name: 'Trip', images: [image?.id] });
    const headers = { ...json.headers, ...account.bearer };
    const share: Share = JSON.parse((await call(origin, '/api/shares', { ...json, headers })).body).share;
    const page = pathOf(share.url);
    const { body } = await call(origin, page);
    const shown = [...new Set(body.match(/\/s\/[\w-]+\/i\/[\w./-]+/g))];
    t.ok(shown.length >= 2, 'an original and a thumbnail');

    const permanent = pathOf(image?.url);
    await call(origin, permanent);
    t.equal((await call(origin, permanent)).headers['x-cache'], 'HIT', 'the cache keeps permanent links');

    const everywhere = () =>
      Promise.all([...origins, origin].flatMap((at) => [page, ...shown].map((path) => call(at, path))));
    for (const { status, headers } of [...(await everywhere()), ...(await everywhere())]) {
      t.equal(status, 200);
      t.not(headers['x-cache'], 'HIT');
    }
    const ended = await call(origin, `/api/shares/${share.id}`, { method: 'DELETE', headers: account.bearer });
    const from = performance.now();
    t.equal(ended.status, 204);
    t.same(
      (await everywhere()).map(({ status }) => status),
      Array.from({ length: 4 * (shown.length + 1) }, () => 410),
    );
    t.ok(performance.now() - from < bound);
  },
);
