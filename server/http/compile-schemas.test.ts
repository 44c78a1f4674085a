import { Type } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import t, { type Test } from 'tap';
import { createSchemaController } from './compile-schemas.ts';

function appFor(t: Test) {
  const app = Fastify({ schemaController: createSchemaController() });
  t.teardown(() => app.close());
  return app;
}

t.test('requests are checked and answers are written by the schemas of their route', async (t) => {
  const app = appFor(t);
  const schema = {
    body: Type.Object({ name: Type.String(), size: Type.Number() }),
    response: { 200: Type.Object({ name: Type.String() }) },
  };
  app.post('/pictures', { schema }, ({ body }) => body);
  const post = (payload: object) => app.inject({ method: 'POST', url: '/pictures', payload });
  for (const [payload, expected] of [
    [{ name: 'a', size: 1 }, { name: 'a' }],
    [{ size: 1 }, { message: "body must have required property 'name'" }],
    [{ name: 'b', size: 'large' }, { message: 'body/size must be number' }],
    [{ name: 'c', size: 2 }, { name: 'c' }],
  ] as const) {
    t.match((await post(payload)).json(), expected);
  }
  t.strictSame((await post({ name: 'd', size: 3 })).json(), { name: 'd' }, 'without fields that are not declared');
});

t.test('a schema is compiled at its first use', async (t) => {
  const app = appFor(t);
  app.get('/bad', { schema: { response: { 200: { $ref: 'missing#' } } } }, () => ({}));
  app.post('/bad', { schema: { body: { $ref: 'missing#' } } }, () => ({}));
  app.get('/good', () => ({}));
  await t.resolves(async () => void (await app.ready()));
  t.equal((await app.inject('/good')).statusCode, 200);
  t.equal((await app.inject('/bad')).statusCode, 500);
  t.equal((await app.inject({ method: 'POST', url: '/bad', payload: {} })).statusCode, 500);
});

t.test('a route cannot have a schema for headers', async (t) => {
  const app = appFor(t);
  app.get('/', { schema: { headers: { properties: { 'Upload-Length': { type: 'string' } } } } }, () => ({}));
  await t.rejects(async () => void (await app.ready()), { message: /no headers by a schema/ });
});
