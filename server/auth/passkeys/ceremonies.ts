/** The two exchanges of WebAuthn: a device makes a passkey, or proves that it has one. */
import type { FastifyBaseLogger } from 'fastify';
import { parse as uuidBytes } from 'uuid';
import type { PasskeyRow } from '../../../drizzle/schema.ts';
import type { MadePasskey, PasskeyAnswer, PasskeyRequest } from '../../contract.ts';
import type { RelyingParty } from './relying-party.ts';

/** Milliseconds that the browser waits for the device, and that the challenge is accepted. */
export const ceremonyTime = 5 * 60_000;

/** Loaded on demand: few calls need it. */
const webauthn = () => import('@simplewebauthn/server');

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'));

/** What the device stores with a passkey, and returns at a login. */
const handleOf = (userId: string) => Buffer.from(uuidBytes(userId)).toString('base64url');

/** @returns the challenge that an answer claims to answer; empty if it names none */
export function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

type Stored = Pick<PasskeyRow, 'credentialId' | 'transports'>;
const descriptors = (list: readonly Stored[]) => list.map(({ credentialId: id, transports }) => ({ id, transports }));

type Registration = {
  party: RelyingParty;
  challenge: string;
  user: { id: string; email: string; username: string };
  /** A device that has one of these does not create another. */
  existing: readonly Stored[];
};

export async function registrationOptions({ party, challenge, user, existing }: Registration): Promise<PasskeyRequest> {
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: party.id,
    rpID: party.id,
    userID: new Uint8Array(uuidBytes(user.id)),
    userName: user.email,
    userDisplayName: user.username,
    challenge: bytesOf(challenge),
    timeout: ceremonyTime,
    attestationType: 'none',
    excludeCredentials: descriptors(existing),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { options: { ...options } };
}

/** @param allowed the account's passkeys; undefined lets the person choose any passkey of this server */
export async function authenticationOptions(
  party: RelyingParty,
  challenge: string,
  allowed?: readonly Stored[],
): Promise<PasskeyRequest> {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytesOf(challenge),
    timeout: ceremonyTime,
    userVerification: 'required',
    ...(allowed ? { allowCredentials: descriptors(allowed) } : {}),
  });
  return { options: { ...options } };
}

/** The library throws for everything that it refuses. Its messages name origins, domains and used challenges, no secrets. */
async function refusedQuietly<T>(log: FastifyBaseLogger, verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch (error) {
    log.info({ reason: error instanceof Error ? error.message : 'unknown' }, 'passkey refused');
    return undefined;
  }
}

type Verifying = { party: RelyingParty; challenge: string; log: FastifyBaseLogger };

/** @returns undefined if the passkey does not fit this server or the challenge */
export async function verifyRegistration(
  { party, challenge, log }: Verifying,
  { clientExtensionResults: _ignored, ...made }: MadePasskey,
): Promise<Omit<PasskeyRow, 'id' | 'userId' | 'name' | 'createdAt' | 'usedAt'> | undefined> {
  const { verifyRegistrationResponse } = await webauthn();
  const { transports = [], ...response } = made.response;
  const verified = await refusedQuietly(log, () =>
    verifyRegistrationResponse({
      response: { ...made, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    }),
  );
  if (!verified?.verified) return undefined;
  const { credential, credentialDeviceType } = verified.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: transports.filter((name) => /^[\w-]{1,32}$/.test(name)),
    synced: credentialDeviceType === 'multiDevice',
  };
}

/** @returns undefined if this passkey has not answered the challenge */
export async function verifyAuthentication(
  { party, challenge, log }: Verifying,
  { clientExtensionResults: _ignored, ...answer }: PasskeyAnswer,
  passkey: PasskeyRow,
): Promise<Pick<PasskeyRow, 'counter' | 'synced'> | undefined> {
  const { userHandle, ...response } = answer.response;
  if (userHandle != null && userHandle !== handleOf(passkey.userId)) return undefined;
  const { verifyAuthenticationResponse } = await webauthn();
  const verified = await refusedQuietly(log, () =>
    verifyAuthenticationResponse({
      response: { ...answer, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: passkey.credentialId,
        publicKey: bytesOf(passkey.publicKey),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    }),
  );
  if (!verified?.verified) return undefined;
  const { newCounter, credentialDeviceType } = verified.authenticationInfo;
  return { counter: newCounter, synced: credentialDeviceType === 'multiDevice' };
}
