import { configuredKeys, type Keyring, type MasterKey } from '../sealed/keyring.ts';

export function testKeyring(present: Buffer, ...previous: Buffer[]): Keyring & { present: MasterKey } {
  const keyring = configuredKeys({ encryptionKey: present, encryptionKeyPrevious: previous });
  if (!keyring?.present) throw new Error('no ring');
  return { ...keyring, present: keyring.present };
}
