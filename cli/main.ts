/** The command line client: runs one command and sets the exit code (0: all, 1: some failed, 2: wrong usage). */
import type { Command } from './command.ts';
import { login } from './commands/login.ts';
import { ls } from './commands/ls.ts';
import { push } from './commands/push.ts';
import { rm } from './commands/rm.ts';
import { upload } from './commands/upload.ts';
import { UsageError } from './usage.ts';
import { version } from './version.ts';

const commands: Record<string, Command> = { login, upload, push, ls, rm };

const help = `Uploads pictures to your gallery and manages them.

Usage: gallery COMMAND [OPTIONS]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(8)}${summary}`)
  .join('\n')}

"gallery COMMAND --help" describes a command.

GALLERY_URL and GALLERY_TOKEN replace the stored login.
Exit code: 0 if everything succeeded, 1 if something failed, 2 for wrong usage.`;

async function run([name = '', ...args]: string[]): Promise<number> {
  if (name === '--help' || name === '-h' || name === 'help') return print(help);
  if (name === '--version') return print(version);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(name === '' ? 'Name a command.' : `There is no command "${name}".`);
  if (args.includes('--help') || args.includes('-h')) return print(command.help);
  return command.run(args);
}

function print(text: string): 0 {
  console.log(text);
  return 0;
}

/** "gallery push": whose help explains a wrong usage. */
const asked = ([name = '']: string[]): string => (Object.hasOwn(commands, name) ? `gallery ${name}` : 'gallery');

// A closed pipe, as in "gallery ls | head", ends the program.
process.stdout.on('error', () => process.exit(1));

const words = process.argv.slice(2);

function fail(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  const isUsage = error instanceof UsageError;
  console.error(isUsage ? `gallery: ${message} See "${asked(words)} --help".` : `gallery: ${message}`);
  return isUsage ? 2 : 1;
}

// Without await: the program also runs as CommonJS (scripts/building/cli.mjs).
run(words)
  .catch(fail)
  .then((code) => {
    process.exitCode = code;
  });
