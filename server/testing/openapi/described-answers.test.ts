import Fastify, { type FastifyReply } from 'fastify';
import t from 'tap';
import { describedAnswers } from './described-answers.ts';

/** @returns the complaints about an answer at an address of the document */
async function complaints(answer: (reply: FastifyReply) => unknown, url = '/api/auth/config'): Promise<string[]> {
  const found: string[] = [];
  const fail = (message: string) => found.push(message);
  const app = Fastify();
  app.addHook('onRoute', describedAnswers({ fail } as unknown as Parameters<typeof describedAnswers>[0]));
  app.get(url, (_request, reply) => answer(reply));
  await app.inject(url);
  await app.close();
  return found;
}

const options = {
  ...{ password_reset: true, abuse_contact: null, registration: 'open' },
  ...{ password_login: true, provider: null, passkeys: true, setup: null },
};
const refusal = { statusCode: 503, code: 'SERVER_BUSY', error: 'Service Unavailable', message: 'Try again.' };

t.test('answers that the document describes pass', async (t) => {
  t.same(await complaints(() => options), []);
  t.same(await complaints((reply) => reply.code(503).header('retry-after', 5).send(refusal)), []);
  t.same(await complaints((reply) => reply.header('x-request-id', 'a').send(options)), []);
});

const undescribed: [string, (reply: FastifyReply) => unknown, RegExp][] = [
  ['status', (reply) => reply.code(418).send(refusal), /GET \/api\/auth\/config: status 418 is not described/],
  [
    'code',
    (reply) => reply.code(503).send({ ...refusal, code: 'TEA_TIME' }),
    /code must be equal to one of the allowed/,
  ],
  ['field', () => ({ ...options, colour: 'red' }), /must NOT have additional properties/],
  ['type of a field', () => ({ ...options, password_reset: 'yes' }), /password_reset must be boolean/],
  ['media type', (reply) => reply.type('text/plain').send('yes'), /a body of type text\/plain is not described/],
  [
    'header',
    (reply) => reply.header('upload-offset', 1).send(options),
    /the header upload-offset with status 200 is not described/,
  ],
  [
    'absence of a field',
    () => ({ password_reset: true, registration: 'open' }),
    /must have required property 'abuse_contact'/,
  ],
  [
    'status of an answer sent by hand',
    (reply) => {
      reply.hijack();
      reply.raw.writeHead(reply.code(418).statusCode).end();
    },
    /status 418 is not described/,
  ],
];

for (const [what, answer, complaint] of undescribed) {
  t.test(`an answer with an undescribed ${what} fails the test`, async (t) => {
    const found = await complaints(answer);
    t.equal(found.length, 1);
    t.match(found[0], complaint);
  });
}

t.test('an address outside the document is not checked', async (t) => {
  t.same(await complaints((reply) => reply.code(418).send('tea'), '/share'), []);
});
