/** Second factors of a test's account, set up as its owner would. */
import type { FastifyInstance } from 'fastify';
import { Secret, TOTP } from 'otpauth';
import type { TestAccount } from './account.ts';
import { createAuthenticator } from './authenticator.ts';

type Device = ReturnType<typeof createAuthenticator>;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const period = 30_000;

/** @param later time steps from now */
export const codeOf = (secret: string, later = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + later * period });

export function callsOf(app: FastifyInstance, { bearer }: Pick<TestAccount, 'bearer'>) {
  return (method: Method, path: string, payload?: object) =>
    app.inject({ method, url: `/api/account${path}`, headers: bearer, ...(payload ? { payload } : {}) });
}

type Calls = ReturnType<typeof callsOf>;

async function answered<T>(answer: ReturnType<Calls>): Promise<T> {
  const { statusCode, body } = await answer;
  if (statusCode >= 300) throw new Error(`refused: ${body}`);
  return JSON.parse(body) as T;
}

export const prove = async (call: Calls, password: string): Promise<string> =>
  (await answered<{ proof: string }>(call('POST', '/proof', { password }))).proof;

/** Sets up an authenticator app. The code of the present time step is used up. */
export async function addTotp(app: FastifyInstance, account: TestAccount) {
  const call = callsOf(app, account);
  const proof = await prove(call, account.password);
  const { secret } = await answered<{ secret: string }>(call('POST', '/factors/totp', { proof }));
  const { recovery_codes: codes } = await answered<{ recovery_codes: string[] | null }>(
    call('POST', '/factors/totp/confirm', { proof, code: codeOf(secret) }),
  );
  return { secret, codes: codes ?? [], proof };
}

export async function addPasskey(app: FastifyInstance, account: TestAccount, device: Device = createAuthenticator()) {
  const call = callsOf(app, account);
  const proof = await prove(call, account.password);
  const passkey = device.make(await answered(call('POST', '/passkeys/options', { proof })));
  const added = await answered<{ passkey: { id: string }; recovery_codes: string[] | null }>(
    call('POST', '/passkeys', { passkey }),
  );
  return { device, id: added.passkey.id, codes: added.recovery_codes ?? [], proof };
}

export const logInWith = (app: FastifyInstance, { email, password }: Pick<TestAccount, 'email' | 'password'>) =>
  app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } });

/** @returns the token of the second step */
export async function stepOf(app: FastifyInstance, account: TestAccount): Promise<string> {
  return (await logInWith(app, account)).json().second_factor.token;
}

export const finish = (app: FastifyInstance, payload: object, from: { remoteAddress?: string } = {}) =>
  app.inject({ method: 'POST', url: '/api/auth/second-factor', payload, ...from });

/** The time step of the last code is forgotten, as if it were long ago. */
export const forgetSteps = (app: FastifyInstance) => app.db.execute('update totp_secrets set last_step = 0');
