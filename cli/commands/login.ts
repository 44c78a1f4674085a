import { currentToken } from '../api/calls.ts';
import { createQuestions } from '../ask.ts';
import type { Command } from '../command.ts';
import { printWait } from '../progress.ts';
import { readAddress, storeLogin } from '../settings.ts';
import { readArgs, UsageError } from '../usage.ts';

const summary = 'store the address of your gallery and an API token';

const help = `Checks the address of your gallery and an API token, and stores them.

Usage: gallery login [ADDRESS]

Create an API token in your gallery first. Type it when the program asks for it, or
pipe it in. It is no argument, because other users of this computer can see arguments.
Without ADDRESS, GALLERY_URL and GALLERY_TOKEN are used where they are set.`;

const isLocal = (address: string) => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname);

async function run(args: string[]): Promise<number> {
  const { positionals } = readArgs(args, {});
  if (positionals.length > 1) throw new UsageError('Name one address.');
  const [named] = positionals;
  // The token of the environment belongs to its address and is sent to no other one.
  const { GALLERY_URL: url, GALLERY_TOKEN: secret } = named === undefined ? process.env : {};
  const questions = createQuestions();
  try {
    const address = readAddress(named ?? (url || (await questions.ask('Address of your gallery: ', false))));
    if (address.startsWith('http:') && !isLocal(address))
      console.error('gallery: This address is not encrypted: others on the network can read the token.');
    const token = secret?.trim() || (await questions.ask('Token: ', true));
    if (token === '') throw new UsageError('Type or pipe in the token.');
    if (!/^[!-~]+$/.test(token)) throw new Error('This is not a token.');
    const { name, scopes } = await currentToken({ address, token, onWait: printWait });
    const file = storeLogin({ address, token });
    console.log(`Logged in to ${address} with the token "${name}" (${scopes.join(', ')}).\nStored in ${file}.`);
    return 0;
  } finally {
    questions.close();
  }
}

export const login: Command = { summary, help, run };
