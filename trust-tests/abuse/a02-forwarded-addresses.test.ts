import { abuse } from '../testing/abuse.ts';
import { asJson, call } from '../testing/call.ts';
import { serve } from '../testing/loopback.ts';

const guess = (origin: string, index: number, headers: Record<string, string>, from?: string) => {
  const login = asJson({ email: `nobody-${index}@example.com`, password: 'a guess' });
  return call(origin, '/api/auth/login', {
    ...login,
    headers: { ...login.headers, ...headers },
    ...(from ? { from } : {}),
  });
};

/** How many of 70 guesses had their password looked at. */
async function looked(origin: string, headersOf: (index: number) => Record<string, string>, from?: string) {
  const statuses: number[] = [];
  for (let index = 0; index < 70; index += 1)
    statuses.push((await guess(origin, index, headersOf(index), from)).status);
  return statuses.filter((status) => status === 401).length;
}

const rotating = (index: number) => {
  const address = `198.51.100.${index}`;
  return {
    'x-forwarded-for': address,
    'x-real-ip': address,
    'x-client-ip': address,
    'cf-connecting-ip': address,
    'true-client-ip': address,
    forwarded: `for=${address}`,
    via: `1.1 ${address}`,
  };
};

abuse('A2', 'who calls is what the socket says, whatever the call says of itself', async (t) => {
  const { origin } = await serve(t, { rateLimit: 'on' });
  t.equal(await looked(origin, rotating), 60);
});

abuse('A2', 'a named proxy is believed, for the address that it adds itself', async (t) => {
  const { origin } = await serve(t, { rateLimit: 'on', trustProxy: ['127.0.0.1'] });
  const behind = (index: number) => ({ 'x-forwarded-for': `203.0.113.${index}, 192.0.2.7` });
  t.equal(await looked(origin, behind), 60, 'what stands before it is the caller’s own claim');
  t.equal((await guess(origin, 0, { 'x-forwarded-for': '192.0.2.8' })).status, 401, 'another caller is not concerned');
  t.equal(await looked(origin, rotating, '127.0.0.66'), 60, 'and who is no proxy is not believed');
});
