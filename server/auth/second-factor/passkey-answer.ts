import type { PasskeyRow } from '../../../drizzle/schema.ts';
import type { Passkey } from '../../contract.ts';
import { InvalidRequest } from '../../errors.ts';
import { oneLine } from '../../lib/one-line.ts';

export const passkeyAnswer = ({ id, name, synced, createdAt, usedAt }: PasskeyRow): Passkey => ({
  ...{ id, name, synced },
  created_at: createdAt.toISOString(),
  used_at: usedAt?.toISOString() ?? null,
});

/** @returns the name as stored: one line, trimmed @throws InvalidRequest */
export function passkeyName(sent: string): string {
  const name = oneLine(sent);
  if (name === '') throw new InvalidRequest('The passkey needs a name.');
  return name;
}
