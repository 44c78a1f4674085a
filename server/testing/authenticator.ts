/** A device with passkeys, in software: it signs what a browser's authenticator would sign. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { MadePasskey, PasskeyAnswer, PasskeyRequest } from '../contract.ts';

type Lies = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  userHandle?: string;
  /** Whether the person was verified, by a fingerprint or a PIN; default: true. */
  isVerified?: boolean;
  counter?: number;
};

type Kept = { id: string; key: KeyObject; userHandle: string; counter: number };
type Options = Record<string, never> & {
  challenge: string;
  rpId?: string;
  rp?: { id: string };
  user?: { id: string };
};

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

/** User present; user verified; attested data follows. */
const flagsOf = (isVerified: boolean, isNew: boolean) => 0x01 | (isVerified ? 0x04 : 0) | (isNew ? 0x40 : 0);

const uint = (value: number, bytes: 2 | 4) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

/** COSE: an EC2 key for ES256 on P-256 (RFC 9053, 7.1.1). */
function coseOf(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const coordinate = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
  const entries: [number, number | Uint8Array][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, coordinate(x)],
    [-3, coordinate(y)],
  ];
  return isoCBOR.encode(new Map(entries));
}

/** @param counts whether the device counts its signatures; synced passkeys do not */
export function createAuthenticator({ origin = 'http://localhost', counts = true } = {}) {
  const kept: Kept[] = [];

  const clientData = (type: string, challenge: string, lies: Lies) =>
    base64url(
      JSON.stringify({
        type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    );

  return {
    kept,

    make({ options }: PasskeyRequest, lies: Lies = {}): MadePasskey {
      const { challenge, rp, user } = options as unknown as Options;
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const id = randomBytes(32);
      const authData = Buffer.concat([
        sha256(lies.rpId ?? rp?.id ?? ''),
        Buffer.from([flagsOf(lies.isVerified ?? true, true)]),
        uint(0, 4),
        Buffer.alloc(16),
        uint(id.length, 2),
        id,
        coseOf(publicKey),
      ]);
      const attestation: [string, unknown][] = [
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ];
      kept.push({ id: base64url(id), key: privateKey, userHandle: user?.id ?? '', counter: 0 });
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, lies),
          attestationObject: base64url(isoCBOR.encode(new Map(attestation) as Parameters<typeof isoCBOR.encode>[0])),
          transports: ['internal'],
        },
        clientExtensionResults: {},
      };
    },

    /** Answers with the passkey that was made last. */
    answer({ options }: PasskeyRequest, lies: Lies = {}): PasskeyAnswer {
      const { challenge, rpId = '' } = options as unknown as Options;
      const own = kept.at(-1);
      if (!own) throw new Error('this device has no passkey');
      if (counts) own.counter += 1;
      const authData = Buffer.concat([
        sha256(lies.rpId ?? rpId),
        Buffer.from([flagsOf(lies.isVerified ?? true, false)]),
        uint(lies.counter ?? own.counter, 4),
      ]);
      const clientDataJSON = clientData('webauthn.get', challenge, lies);
      const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
      return {
        id: own.id,
        rawId: own.id,
        type: 'public-key',
        response: {
          clientDataJSON,
          authenticatorData: base64url(authData),
          signature: base64url(sign('sha256', signed, own.key)),
          userHandle: lies.userHandle ?? own.userHandle,
        },
        clientExtensionResults: {},
      };
    },
  };
}
