import type { LoginAnswer, ProviderAddress, ProviderFinish } from '../../../server/contract.ts';
import { apiUrl, request } from '../client.ts';

/** Where a browser goes to log in by the sign-in provider. */
export const providerStart = (share: string | undefined): string =>
  apiUrl(`auth/provider/start${share === undefined ? '' : `?share=${encodeURIComponent(share)}`}`);

/** @returns the address at the sign-in provider where someone with an invitation or a claim continues */
export const startProviderRegistration = async (secret: string): Promise<string> =>
  (await request<ProviderAddress>('auth/provider/start', { method: 'post', json: { secret }, keepsSession: true })).url;

/** Fetches the session of a login by the provider. The code works once. */
export const finishProviderLogin = (body: ProviderFinish): Promise<LoginAnswer> =>
  request<LoginAnswer>('auth/provider/finish', { method: 'post', json: body, keepsSession: true });
