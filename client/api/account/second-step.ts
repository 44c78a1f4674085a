/** Logins by passkey, and the second step of logins by password. Not part of the first script of the login page. */
import type {
  LoginAnswer,
  PasskeyLogin,
  PasskeyRequest,
  SecondFactorBody,
  SecondFactorStep,
} from '../../../server/contract.ts';
import { ApiError } from '../api-error.ts';
import { request } from '../client.ts';

const post = <T>(path: string, json?: object): Promise<T> =>
  request<T>(`auth/${path}`, { method: 'post', keepsSession: true, ...(json ? { json } : {}) });

export const requestPasskeyLogin = (): Promise<PasskeyRequest> => post('passkey/options');

export const logInByPasskey = (body: PasskeyLogin): Promise<LoginAnswer> => post('passkey', body);

export const requestSecondPasskey = (token: string): Promise<PasskeyRequest> =>
  post('second-factor/passkey', { token });

export const giveSecondFactor = (body: SecondFactorBody): Promise<LoginAnswer> => post('second-factor', body);

/** @returns the next step, if a login was refused because it needs one */
export function nextStepOf(error: unknown): SecondFactorStep | undefined {
  if (!(error instanceof ApiError) || error.code !== 'SECOND_FACTOR_NEEDED') return undefined;
  return (error.cause as { second_factor: SecondFactorStep }).second_factor;
}
