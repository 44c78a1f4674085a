import type { Identity, IdentityList, ProviderAddress } from '../../../server/contract.ts';
import { request } from '../client.ts';

export const listIdentities = (signal: AbortSignal): Promise<IdentityList> =>
  request<IdentityList>('auth/provider/identities', { signal });

/** @returns the address at the sign-in provider where the link continues */
export const startLink = async (proof: string): Promise<string> =>
  (await request<ProviderAddress>('auth/provider/link', { method: 'post', json: { proof } })).url;

/** @returns the address at the sign-in provider where a new login confirms the owner of the session */
export const startProviderProof = async (): Promise<string> =>
  (await request<ProviderAddress>('auth/provider/proof', { method: 'post' })).url;

export const unlinkIdentity = ({ id }: Identity, proof: string): Promise<void> =>
  request<void>(`auth/provider/identities/${encodeURIComponent(id)}`, { method: 'delete', json: { proof } });
