/** Logins by passkey, and the second step of logins by password. They load when they are needed, with their words. */
import type { LoginAnswer } from '../../server/contract.ts';
import { logInByPasskey, requestPasskeyLogin } from '../api/account/second-step.ts';
import { answerPasskey } from '../lib/webauthn.ts';
import { mailLanguage } from '../text/words.ts';

export { nextStepOf } from '../api/account/second-step.ts';
export { default as SecondStep, reportFailure } from './second-step.tsx';

export const logInWithPasskey = async (): Promise<LoginAnswer> =>
  logInByPasskey({ passkey: await answerPasskey(await requestPasskeyLogin()), language: mailLanguage });
