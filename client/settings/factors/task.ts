/** What the box can do, once its owner has confirmed who they are. */
import type { Passkey, TotpSecret } from '../../../server/contract.ts';
import {
  addPasskey,
  beginTotp,
  removePasskey,
  removeTotp,
  renewCodes,
  requestPasskey,
} from '../../api/account/factors.ts';
import { makePasskey } from '../../lib/webauthn.ts';
import { factors as texts } from '../../text/words.ts';
import { changingFactors } from './use-factors.ts';

export type Task =
  | { readonly kind: 'add-passkey' | 'set-up-app' | 'new-codes' | 'remove-app' }
  | { readonly kind: 'remove-passkey'; readonly passkey: Passkey };

/** What is shown next. */
export type Outcome = {
  readonly toast?: string;
  readonly codes?: readonly string[] | null;
  readonly app?: TotpSecret & { readonly proof: string };
};

export const isRemoval = ({ kind }: Task): boolean => kind === 'remove-app' || kind === 'remove-passkey';

export const isAddition = ({ kind }: Task): boolean => kind === 'add-passkey' || kind === 'set-up-app';

/** The button that begins a task. */
export function labelOf(task: Task): string {
  const labels = {
    'add-passkey': texts.passkeys.add,
    'set-up-app': texts.app.setUp,
    'new-codes': texts.codes.renew,
    'remove-app': texts.app.remove,
    'remove-passkey': texts.passkeys.remove,
  };
  return task.kind === 'remove-passkey' ? texts.passkeys.removeNamed(task.passkey.name) : labels[task.kind];
}

/** @throws ApiError; the browser's error, if it gives no passkey */
export async function run(task: Task, proof: string): Promise<Outcome> {
  switch (task.kind) {
    case 'add-passkey': {
      const passkey = await makePasskey(await requestPasskey(proof));
      const { recovery_codes: codes } = await changingFactors(() => addPasskey({ passkey }));
      return { toast: texts.passkeys.added, codes };
    }
    case 'set-up-app':
      return { app: { ...(await beginTotp(proof)), proof } };
    case 'new-codes':
      return { codes: (await changingFactors(() => renewCodes(proof))).recovery_codes };
    case 'remove-app':
      await changingFactors(() => removeTotp(proof));
      return { toast: texts.app.removed };
    case 'remove-passkey':
      await changingFactors(() => removePasskey(task.passkey.id, proof));
      return { toast: texts.passkeys.removed };
  }
}
