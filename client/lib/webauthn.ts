/** Passkeys, by the browser. The library loads with the first use. */
import type { MadePasskey, PasskeyAnswer, PasskeyRequest } from '../../server/contract.ts';

const library = () => import('@simplewebauthn/browser');

type Library = Awaited<ReturnType<typeof library>>;
type Creation = Parameters<Library['startRegistration']>[0]['optionsJSON'];
type Request = Parameters<Library['startAuthentication']>[0]['optionsJSON'];

/** Whether this browser has passkeys, and this address may use them: not by plain http, and not by an IP address. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname);

/** @throws the browser's error: see `passkeyProblem` */
export async function makePasskey({ options }: PasskeyRequest): Promise<MadePasskey> {
  const { startRegistration } = await library();
  const { id, rawId, response } = await startRegistration({ optionsJSON: options as unknown as Creation });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return {
    ...{ id, rawId, type: 'public-key', clientExtensionResults: {} },
    response: { clientDataJSON, attestationObject, transports },
  };
}

/** @throws the browser's error: see `passkeyProblem` */
export async function answerPasskey({ options }: PasskeyRequest): Promise<PasskeyAnswer> {
  const { startAuthentication } = await library();
  const { id, rawId, response } = await startAuthentication({ optionsJSON: options as unknown as Request });
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response;
  return {
    ...{ id, rawId, type: 'public-key', clientExtensionResults: {} },
    response: { clientDataJSON, authenticatorData, signature, userHandle },
  };
}

/** @returns why the browser gave no passkey: it has one already, this address may not use it, or nobody confirmed */
export function passkeyProblem(error: unknown): 'exists' | 'address' | 'unconfirmed' | undefined {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') return 'exists';
  if (name === 'SecurityError') return 'address';
  return ['NotAllowedError', 'AbortError', 'UnknownError'].includes(name) ? 'unconfirmed' : undefined;
}
