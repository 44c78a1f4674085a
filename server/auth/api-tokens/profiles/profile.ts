/** Profiles: the settings of one program, ready to use with one token. */
import type { ApiToken, CreatedApiToken, NewApiToken } from '../../../contract.ts';

export type Profile = NonNullable<CreatedApiToken['profile']>;

export type ProfileSource = {
  /** Public origin of the server. */
  origin: string;
  secret: string;
  token: Pick<ApiToken, 'name'>;
  language: NonNullable<NewApiToken['language']>;
};

export const uploadUrl = ({ origin }: ProfileSource): string => `${origin}/api/images/upload`;

export const authorization = ({ secret }: ProfileSource): string => `Bearer ${secret}`;

/** Without line breaks and other characters that a program could read as the end of a line or a comment. */
export const oneLine = (text: string): string => text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
