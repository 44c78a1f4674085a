/** The profiles of all programs. */
import type { NewApiToken, ProfileProgram } from '../../../contract.ts';
import { InvalidRequest } from '../../../errors.ts';
import { cliProfile } from './cli.ts';
import { curlProfile } from './curl.ts';
import { flameshotProfile } from './flameshot.ts';
import { iosProfile } from './ios.ts';
import { ksnipProfile } from './ksnip.ts';
import { picgoProfile } from './picgo.ts';
import type { Profile, ProfileSource } from './profile.ts';
import { sharexProfile } from './sharex.ts';

const PROFILES: Readonly<Record<ProfileProgram, (source: ProfileSource) => Profile>> = {
  sharex: sharexProfile,
  flameshot: flameshotProfile,
  ksnip: ksnipProfile,
  picgo: picgoProfile,
  curl: curlProfile,
  ios: iosProfile,
  cli: cliProfile,
};

/** @throws InvalidRequest if the program could not upload with the token */
export function checkProfile({ profile, scopes }: NewApiToken): void {
  if (!profile || profile === 'cli' || scopes.includes('images:upload')) return;
  throw new InvalidRequest('This program uploads images. Its token needs the scope images:upload.');
}

export const makeProfile = (program: ProfileProgram | null | undefined, source: ProfileSource): Profile | null =>
  program ? PROFILES[program](source) : null;
