import t from 'tap';
import { lifetimeOf, payloadOf, programOf, programsFor } from './token-choice.ts';

const upload = ['images:upload'] as const;
const read = ['images:read'] as const;

t.test('a token that can only upload never expires by default, and others after 90 days', async (t) => {
  t.equal(lifetimeOf({ lifetime: undefined, scopes: upload }), 'never');
  t.equal(lifetimeOf({ lifetime: undefined, scopes: [...upload, ...read] }), '90d');
  t.equal(lifetimeOf({ lifetime: '1d', scopes: upload }), '1d');
  t.equal(lifetimeOf({ lifetime: 'never', scopes: read }), 'never');
});

t.test('a program that uploads is offered and sent only with the scope to upload', async (t) => {
  t.ok(programsFor(upload).includes('sharex'));
  t.same(programsFor(read), ['cli']);
  t.equal(programOf({ program: 'sharex', scopes: read }), undefined);
  t.equal(programOf({ program: 'sharex', scopes: upload }), 'sharex');
});

t.test('the payload contains every choice', async (t) => {
  const choice = {
    name: 'a',
    scopes: upload,
    program: undefined,
    album: undefined,
    lifetime: undefined,
    imageLifetime: 'never' as const,
  };
  t.same(payloadOf(choice, 'ar'), {
    name: 'a',
    scopes: ['images:upload'],
    expires_in: null,
    album: null,
    images_expire_in: null,
    profile: null,
    language: 'ar',
  });
  t.match(payloadOf({ ...choice, program: 'ios', album: 'id', lifetime: '7d', imageLifetime: '30d' }, 'en'), {
    expires_in: '7d',
    album: 'id',
    images_expire_in: '30d',
    profile: 'ios',
  });
});
