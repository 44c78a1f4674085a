import { abuse } from '../../testing/abuse.ts';
import { asJson, call } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';

const guess = (origin: string, index: number, headers: Record<string, string>, from?: string) => {
  const login = asJson({ email: `nobody-${index}@example.com`, password: 'a guess' });
  return call(origin, '/api/auth/login', {
    ...login,
    headers: { ...login.headers, ...headers },
    ...(from ? { from } : {}),
  });
};

/** @returns for how many of 70 guesses the password was checked */
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

abuse('A2', 'without a trusted proxy, the client address is the socket’s, whatever the headers claim', async (t) => {
  const { origin } = await serve(t, { rateLimit: 'on' });
  t.equal(await looked(origin, rotating), 60);
});

abuse('A2', 'a trusted proxy is believed only for the address it adds itself', async (t) => {
  const { origin } = await serve(t, { rateLimit: 'on', trustProxy: ['127.0.0.1'] });
  const behind = (index: number) => ({ 'x-forwarded-for': `203.0.113.${index}, 192.0.2.7` });
  t.equal(await looked(origin, behind), 60, 'earlier addresses are the caller’s own claim');
  t.equal((await guess(origin, 0, { 'x-forwarded-for': '192.0.2.8' })).status, 401, 'another caller is not affected');
  t.equal(await looked(origin, rotating, '127.0.0.66'), 60, 'a client that is not a proxy is not believed');
});
