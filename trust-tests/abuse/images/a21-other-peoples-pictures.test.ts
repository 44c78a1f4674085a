import { noise } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, store } from '../../testing/account.ts';
import { type Call, call, noLeak, refused } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';

const json = { 'content-type': 'application/json' };
const tus = { 'tus-resumable': '1.0.0' };

abuse('A21', 'another user’s album, upload and session answer 404 on every route', async (t) => {
  const at = await serve(t);
  const [owner, other] = [await newAccount(at.origin), await newAccount(at.origin)];
  const [image] = await store(at.origin, owner, [{ name: 'private.jpg', bytes: await noise(60, 40) }]);
  const mine = (path: string, options: Call) =>
    call(at.origin, path, { ...options, headers: { ...options.headers, ...owner.bearer } });
  const making = { method: 'POST', headers: json, body: '{"name":"Private"}' };
  const { album } = JSON.parse((await mine('/api/albums/', making)).body);
  const ids = JSON.stringify({ ids: [image?.id] });
  await mine(`/api/albums/${album.id}/images`, { method: 'POST', headers: json, body: ids });
  const opening = { method: 'POST', headers: { ...tus, 'upload-length': '100' } };
  const upload = String((await mine('/api/uploads', opening)).headers.location)
    .split('/')
    .at(-1);
  const { sessions } = JSON.parse((await mine('/api/account/sessions', {})).body);
  const routes: [string, string, Call][] = [
    [album.id, '/api/albums/ID', {}],
    [album.id, '/api/albums/ID', { method: 'PATCH', headers: json, body: '{"name":"Taken"}' }],
    [album.id, '/api/albums/ID/images', { method: 'POST', headers: json, body: ids }],
    [album.id, '/api/albums/ID/images', { method: 'DELETE', headers: json, body: ids }],
    [album.id, '/api/albums/ID/images', { method: 'PATCH', headers: json, body: ids.replace('}', ',"before":null}') }],
    [album.id, '/api/albums/ID/link', { method: 'POST' }],
    [album.id, '/api/albums/ID/link', { method: 'DELETE' }],
    [album.id, '/api/albums/ID', { method: 'DELETE' }],
    [String(upload), '/api/uploads/ID', {}],
    [String(upload), '/api/uploads/ID', { method: 'HEAD', headers: tus }],
    [
      String(upload),
      '/api/uploads/ID',
      {
        method: 'PATCH',
        headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
        body: 'x',
      },
    ],
    [String(upload), '/api/uploads/ID', { method: 'DELETE', headers: tus }],
    [sessions[0].id, '/api/account/sessions/ID', { method: 'DELETE' }],
  ];
  for (const [id, route, options] of routes) {
    const ask = (who: object, named: string) =>
      call(at.origin, route.replace('ID', named), { ...options, headers: { ...options.headers, ...who } });
    const about = `${options.method ?? 'GET'} ${route}`;
    const [asOther, absent] = [
      await ask(other.bearer, id),
      await ask(other.bearer, '01939e4c-0000-7000-8000-000000000000'),
    ];
    t.equal(asOther.status, 404, `${about} as another user`);
    t.equal(asOther.body, absent.body, `${about}: the answer equals that for an unknown id`);
    refused(t, await ask({}, id), 401, `${about} as nobody`);
    noLeak(t, asOther, about);
  }
  t.match(JSON.parse((await mine(`/api/albums/${album.id}`, {})).body).album, {
    name: 'Private',
    count: 1,
    link: null,
  });
  t.equal((await mine(`/api/uploads/${upload}`, { method: 'HEAD', headers: tus })).headers['upload-offset'], '0');
  t.notMatch((await call(at.origin, '/api/albums/', { headers: other.bearer })).body, /Private/);
});
