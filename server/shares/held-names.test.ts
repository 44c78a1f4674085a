/** A printed address leads to no stranger: names of links that are gone stay with their former owner for 90 days. */
import t from 'tap';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { accountWith, password } from '../testing/share.ts';

const app = await buildTestApp(t);
const named = (short_name: string) => ({ short_name, password });

type Owner = Awaited<ReturnType<typeof accountWith>>;
const remove = ({ account }: Owner, url: string, payload?: object) =>
  app.inject({ method: 'DELETE', url, headers: account.bearer, ...(payload && { payload }) });
const leaves = (owner: Owner) => remove(owner, '/api/account', { password: owner.account.password });

/** How the address of a share named `name` ends. */
const ends: Record<string, (owner: Owner, name: string) => Promise<unknown>> = {
  'its album is deleted': async (owner, name) => {
    const { id } = await owner.album();
    await owner.share({ images: undefined, album: id, ...named(name) });
    await remove(owner, `/api/albums/${id}`);
  },
  'its account is deleted': async (owner, name) => {
    await owner.share(named(name));
    await leaves(owner);
  },
  'it gets another name': async (owner, name) => {
    const { id } = await owner.share(named(name));
    await owner.call('PATCH', `/${id}`, { short_name: `${name}-2` });
  },
  'it loses its name': async (owner, name) => {
    const { id } = await owner.share(named(name));
    await owner.call('PATCH', `/${id}`, { short_name: null });
  },
};

t.test('nobody else gets the short name of a share for 90 days', async (t) => {
  const other = await accountWith(app);
  const { id } = await other.share();
  for (const [at, [what, end]] of Object.entries(ends).entries()) {
    const owner = await accountWith(app);
    const name = `printed-${at}`;
    await end(owner, name);
    t.match((await other.create(named(name))).json(), { code: 'NAME_TAKEN' }, `${what}: a new share`);
    t.match((await other.call('PATCH', `/${id}`, named(name))).json(), { code: 'NAME_TAKEN' }, `${what}: a rename`);
    if (what !== 'its account is deleted') {
      t.equal((await owner.create(named(name))).statusCode, 201, `${what}: its owner`);
      await leaves(owner);
    }
    await app.db.execute(`update held_names set freed_at = freed_at - interval '91 days' where name = '${name}'`);
    t.equal((await other.create(named(name))).statusCode, 201, `${what}: after 90 days`);
  }
});

t.test('a share that ended 90 days ago frees its name, and the sweep removes what is free', async (t) => {
  const [owner, other] = [await accountWith(app), await accountWith(app)];
  const { id } = await owner.share(named('long-ago'));
  await owner.call('DELETE', `/${id}`);
  await app.db.execute(`update shares set ended_at = now() - interval '91 days' where id = '${id}'`);
  for (let sweep = 0; sweep < 2; sweep += 1) await app.sweeps.run();
  t.equal((await other.create(named('long-ago'))).statusCode, 201);
  t.same(await app.db.execute(`select 1 from held_names where freed_at < now() - interval '90 days'`), []);
});

t.test('the name of a stable link is kept after its account is deleted, and free after the link is', async (t) => {
  const [owner, other] = [await accountWith(app), await accountWith(app)];
  const [theirs] = await storeFiles(app, other.account, [{ name: 'other.png', bytes: await picture({ width: 41 }) }]);
  const link = (by: Owner, name: string, image = by.ids[0]) =>
    app.inject({ method: 'POST', url: '/api/stable-links', headers: by.account.bearer, payload: { name, image } });
  const { id } = (await link(owner, 'given-up')).json().stable_link;
  await remove(owner, `/api/stable-links/${id}`);
  t.equal((await link(other, 'given-up')).statusCode, 201);
  t.equal((await link(owner, 'on-a-poster')).statusCode, 201);
  await leaves(owner);
  t.match((await link(other, 'on-a-poster', theirs?.id)).json(), { code: 'NAME_TAKEN' });
});
