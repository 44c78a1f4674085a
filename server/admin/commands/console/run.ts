import { CommanderError } from 'commander';
import { readConfig } from '../../../config/read-config.ts';
import { isUnavailable } from '../../../database/connect.ts';
import { messageOf } from '../../../database/start-error.ts';
import { createProgram } from '../program.ts';
import { CommandFailed, Interrupted, WrongUsage } from './failures.ts';
import { createShell } from './shell.ts';
import { printable } from './table.ts';

type Environment = Parameters<typeof readConfig>[0];

const interrupted = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** Runs one command, then ends the process with its exit code. */
export async function runAdmin(args: string[], environment: Environment): Promise<never> {
  const controller = new AbortController();
  let code = 0;
  for (const [name, number] of Object.entries(interrupted)) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(number);
      code = number;
      controller.abort();
    });
  }
  // Interrupted work loses its database connection; nothing awaits those rejections any more.
  process.on('unhandledRejection', (error) => {
    if (controller.signal.aborted) return;
    throw error;
  });
  // For `admin users list | head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  const shell = createShell(() => readConfig(environment), controller.signal, environment.INIT_CWD);
  try {
    await createProgram(shell).parseAsync(args, { from: 'user' });
  } catch (error) {
    const failed = exitCodeOf(controller.signal.aborted ? new Interrupted() : error);
    code ||= failed;
  }
  return end(code);
}

function exitCodeOf(error: unknown): number {
  // Commander has printed the error; requested help is no error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const text = lineOf(error);
  // The text may contain words from a backup, a database or a file system.
  console.error(text === undefined ? error : text.split('\n').map(printable).join('\n'));
  return error instanceof WrongUsage ? 2 : 1;
}

/** One line for errors that the administrator can fix; undefined for our own bugs, which are printed whole. */
function lineOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof CommandFailed || error instanceof WrongUsage || error instanceof Interrupted) {
    return error.message;
  }
  const code = 'code' in error ? error.code : undefined;
  if (code === 'CONFIG' || code === 'DATABASE_START' || code === 'BACKUP') return error.message;
  if (isUnavailable(error)) return `The database does not answer any more (${messageOf(error.cause ?? error)}).`;
  // Refusals of the product (errors.ts), such as a full storage.
  return 'statusCode' in error ? error.message : undefined;
}

/** Exits once the output is flushed: a pipe may take it late. */
async function end(code: number): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  }
  process.exit(code);
}
