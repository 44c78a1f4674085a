import type {
  FactorAdded,
  Factors,
  NewPasskey,
  PasskeyAdded,
  PasskeyAnswered,
  PasskeyRequest,
  Proof,
  ProofBody,
  RecoveryCodes,
  TotpCode,
  TotpSecret,
} from '../../../server/contract.ts';
import { request } from '../client.ts';

const post = <T>(path: string, json?: object): Promise<T> =>
  request<T>(`account/${path}`, { method: 'post', ...(json ? { json } : {}) });

const remove = (path: string, proof: string): Promise<void> =>
  request<void>(`account/${path}`, { method: 'delete', json: { proof } });

export const readFactors = (signal: AbortSignal): Promise<Factors> => request<Factors>('account/factors', { signal });

/** @returns what changes of second factors need */
export async function prove(body: ProofBody): Promise<string> {
  return (await post<Proof>('proof', body)).proof;
}

export const requestPasskeyProof = (): Promise<PasskeyRequest> => post('proof/passkey');

export const requestPasskey = (proof: string): Promise<PasskeyRequest> => post('passkeys/options', { proof });

export const addPasskey = (body: NewPasskey): Promise<PasskeyAdded> => post('passkeys', body);

export const renamePasskey = (id: string, name: string): Promise<PasskeyAnswered> =>
  request<PasskeyAnswered>(`account/passkeys/${encodeURIComponent(id)}`, { method: 'patch', json: { name } });

export const removePasskey = (id: string, proof: string): Promise<void> =>
  remove(`passkeys/${encodeURIComponent(id)}`, proof);

export const beginTotp = (proof: string): Promise<TotpSecret> => post('factors/totp', { proof });

export const confirmTotp = (body: TotpCode): Promise<FactorAdded> => post('factors/totp/confirm', body);

export const removeTotp = (proof: string): Promise<void> => remove('factors/totp', proof);

export const renewCodes = (proof: string): Promise<RecoveryCodes> => post('factors/recovery-codes', { proof });
