/** Asks the administrator questions on the terminal, or reads a password from standard input. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandFailed, Interrupted, WrongUsage } from './failures.ts';

/** Bytes. Longer input is not a password and is not kept. */
const longestInput = 65_536;

/** Asks on the terminal, one question after another, on standard error. `echo` shows what is typed. */
async function converse<T>(
  echo: boolean,
  talk: (ask: (question: string) => Promise<string>) => Promise<T>,
): Promise<T> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = echo ? process.stderr : nowhere;
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  // In raw mode the terminal does not turn Ctrl-C into a signal.
  lines.on('SIGINT', () => {
    process.emit('SIGINT');
    lines.close();
  });
  const answers = lines[Symbol.asyncIterator]();
  const ask = async (question: string) => {
    process.stderr.write(question);
    const { value, done } = await answers.next();
    if (!echo) process.stderr.write('\n');
    if (done) throw new Interrupted();
    return value as string;
  };
  try {
    return await talk(ask);
  } finally {
    lines.close();
  }
}

const onTerminal = () => process.stdin.isTTY && process.stderr.isTTY;

/** @param fromInput read all of standard input, without its last line break */
export async function askPassword(fromInput: boolean): Promise<string> {
  if (fromInput) return readPassword();
  if (!onTerminal()) {
    throw new WrongUsage('There is no terminal to ask for the password on: give it by --password-stdin.');
  }
  const [password, again] = await converse(false, async (ask) => [await ask('Password: '), await ask('Once more: ')]);
  if (password !== again) throw new CommandFailed('The two passwords are not the same. Nothing was changed.');
  return password ?? '';
}

async function readPassword(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longestInput) throw new CommandFailed('The standard input is too long for a password.');
    chunks.push(chunk);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
    return text.replace(/\r?\n$/, '');
  } catch {
    throw new CommandFailed('The password on the standard input is not valid UTF-8.');
  }
}

/** Returns only if the administrator typed the word. @throws CommandFailed otherwise */
export async function confirm(warning: string, word: string): Promise<void> {
  if (!onTerminal()) throw new WrongUsage('There is no terminal to ask for a confirmation on: give --yes.');
  const typed = await converse(true, (ask) => ask(`${warning}\nType ${word} to continue: `));
  if (typed.trim().normalize('NFC') !== word) throw new CommandFailed('Nothing was changed.');
}
