import { noise } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, pathOf, store } from '../../testing/account.ts';
import { type Call, call, noLeak, refused } from '../../testing/call.ts';
import { nothingLeft } from '../../testing/left-over.ts';
import { serve } from '../../testing/machine/loopback.ts';

abuse('A21', 'another user’s picture answers 404 on every route, with or without a login', async (t) => {
  const at = await serve(t);
  const [owner, other] = [await newAccount(at.origin), await newAccount(at.origin)];
  const bytes = await noise(60, 40);
  const [image] = await store(at.origin, owner, [{ name: 'private.jpg', bytes }]);
  const [theirs] = await store(at.origin, other, [{ name: 'other.jpg', bytes }]);
  const id = image?.id ?? '';
  const renaming = {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{"filename":"taken.jpg"}',
  };
  const routes: [string, Call][] = [
    [`/api/images/${id}/original`, {}],
    [`/api/images/${id}/original`, { method: 'HEAD' }],
    [`/api/images/${id}/original`, { headers: { range: 'bytes=0-9' } }],
    [`/api/images/${id.toUpperCase()}/original`, {}],
    [`/api/images/delete/${id}`, { method: 'DELETE' }],
    [`/api/images/delete/${id.toUpperCase()}`, { method: 'DELETE' }],
    [`/api/images/${id}`, {}],
    [`/api/images/${id}`, { method: 'PUT' }],
    [`/api/images/${id}`, renaming],
    [`/api/images/archive?ids=${id}`, {}],
    [`/api/images/${id}`, { method: 'DELETE' }],
    [`/api/images/${id}/thumbnail`, {}],
    [`/i/${id}.jpg`, {}],
    [`/i/${id}/thumbnail.webp`, {}],
  ];
  for (const [path, options] of routes) {
    const asOther = await call(at.origin, path, { ...options, headers: { ...options.headers, ...other.bearer } });
    const asNobody = await call(at.origin, path, options);
    const unknown = path.replace(new RegExp(id, 'i'), '01939e4c-0000-7000-8000-000000000000');
    const absent = await call(at.origin, unknown, { ...options, headers: { ...options.headers, ...other.bearer } });
    const about = `${options.method ?? 'GET'} ${path}`;
    t.equal(asOther.status, 404, `${about} as another user`);
    t.equal(
      asOther.body.replace(new RegExp(id, 'gi'), ''),
      absent.body.replace(/01939e4c[\w-]+/g, ''),
      `${about}: the answer equals that for an unknown id`,
    );
    refused(t, asNobody, [401, 404], `${about} as nobody`);
    noLeak(t, asOther, about);
  }
  for (const query of ['', '?search=private', `?search=${id}`, `?owner=${owner.id}`, `?user_id=${owner.id}`, '?page=2'])
    t.notMatch((await call(at.origin, `/api/images/${query}`, { headers: other.bearer })).body, /private|owner/, query);
  t.notMatch((await call(at.origin, '/api/auth/me', { headers: other.bearer })).body, new RegExp(owner.id));
  t.equal((await call(at.origin, pathOf(image?.url))).status, 200, 'it is still there');

  const open = await call(at.origin, pathOf(image?.url));
  const told = JSON.stringify([open.rawHeaders, (await call(at.origin, pathOf(image?.thumbnail_url))).rawHeaders]);
  for (const secret of [owner.id, owner.username, owner.email, at.dataDir, id])
    t.notOk(told.includes(secret), `a link does not reveal ${secret.slice(0, 20)}`);

  t.equal((await call(at.origin, `/api/images/delete/${id}`, { method: 'DELETE', headers: owner.bearer })).status, 204);
  for (const path of [pathOf(image?.url), pathOf(image?.thumbnail_url), pathOf(image?.screen_url)])
    for (const headers of [
      {},
      { 'if-none-match': '*' },
      { range: 'bytes=0-1' },
      { 'if-none-match': String(open.headers.etag) },
    ])
      refused(t, await call(at.origin, path, { headers }), 404, `${path} after its deletion`);
  refused(
    t,
    await call(at.origin, `/api/images/${id}/original`, { headers: owner.bearer }),
    404,
    'the original after its deletion',
  );
  t.equal((await call(at.origin, pathOf(theirs?.url))).status, 200, 'the same bytes of another user stay');
  await nothingLeft(t, at, 1);
});
