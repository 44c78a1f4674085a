import Fastify from 'fastify';
import t from 'tap';
import { RangeNotSatisfiable, StorageUnavailable } from '../../errors.ts';
import { errorHandler } from './error-handler.ts';

t.test('a refusal keeps no headers of the bytes that are not sent, but 416 says how many there are', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  await app.register(errorHandler);
  app.get('/unavailable', (_request, reply) => {
    reply.code(206).header('content-range', 'bytes 0-9/100').header('etag', '"a"').header('content-length', 10);
    throw new StorageUnavailable();
  });
  app.get('/outside', (_request, reply) => {
    reply.header('content-range', 'bytes */100').header('etag', '"a"');
    throw new RangeNotSatisfiable();
  });
  const unavailable = await app.inject('/unavailable');
  t.match([unavailable.statusCode, unavailable.json().code], [503, 'STORAGE_UNAVAILABLE']);
  t.same([unavailable.headers.etag, unavailable.headers['content-range']], [undefined, undefined]);
  t.equal(Number(unavailable.headers['content-length']), unavailable.body.length);
  const outside = await app.inject('/outside');
  t.same([outside.statusCode, outside.headers.etag], [416, undefined]);
  t.equal(outside.headers['content-range'], 'bytes */100');
});
