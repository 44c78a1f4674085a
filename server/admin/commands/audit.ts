import { fsync } from 'node:fs';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import type { AuditRow } from '../../../drizzle/schema.ts';
import { ACTIONS } from '../../audit/actions.ts';
import { dateOf, isAction } from '../../audit/filter-values.ts';
import { commandLine, note } from '../../audit/note.ts';
import { eachEntry, entryOf, trimLog } from '../../audit/queries.ts';
import { auditedAccount } from '../audited-account.ts';
import { WrongUsage } from './console/failures.ts';
import type { AddCommand, Shell } from './console/shell.ts';

type Options = { action?: string; account?: string; from?: string; until?: string };

/** @throws WrongUsage */
function readDate(name: string, text: string | undefined): Date | undefined {
  const date = text === undefined ? undefined : dateOf(text);
  if (text !== undefined && !date) throw new WrongUsage(`--${name} needs a date like 2026-01-31.`);
  return date;
}

const lineOf = (row: AuditRow): string => `${JSON.stringify(entryOf(row))}\n`;

/** Resolves once the lines are written; a file's are on its disk. */
async function print(rows: AuditRow[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(rows.map(lineOf).join(''), (error) => (error ? reject(error) : resolve()));
  });
  // A pipe and a terminal have nothing to sync.
  await promisify(fsync)(process.stdout.fd).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EINVAL' && error.code !== 'ENOTSUP') throw error;
  });
}

function addTrim(audit: Command, shell: Shell): void {
  audit
    .command('trim')
    .description('print the entries from before a moment as JSON lines, and remove them from the log')
    .requiredOption('--before <date>', 'the first moment that stays')
    .action((options: { before: string }) => {
      const before = readDate('before', options.before);
      if (!before || before.getTime() > Date.now()) {
        throw new WrongUsage('--before needs a date that has passed, like 2026-01-31.');
      }
      // Options before the command belong to the export, and would limit nothing here.
      const [other] = Object.keys(audit.opts());
      if (other !== undefined) throw new WrongUsage(`"audit trim" removes all entries: it takes no --${other}.`);
      return shell.withAdmin(async ({ db }) => {
        const entries = await trimLog(db, { actor: commandLine, before }, print);
        console.error(
          entries === 0 ? 'The log has no older entries.' : `${entries} entries were removed from the log.`,
        );
      });
    });
}

export const addAudit: AddCommand = (program, shell) => {
  const audit = program
    .command('audit')
    .helpCommand(false)
    .description('print the audit log as JSON lines, the oldest entry first')
    .option('--action <action>', 'only this action, or all that begin with it and a dot')
    .option('--account <account>', 'only what this account did or what concerns it')
    .option('--from <date>', 'from this moment on')
    .option('--until <date>', 'before this moment')
    .action(({ action, account: name, ...times }: Options) => {
      const [from, until] = [readDate('from', times.from), readDate('until', times.until)];
      if (action !== undefined && !isAction(action)) {
        throw new WrongUsage(`There is no action ${action}. The actions are ${ACTIONS.join(', ')}.`);
      }
      return shell.withAdmin(async ({ db }) => {
        const account = name === undefined ? undefined : await auditedAccount(db, name);
        await note(db, { action: 'audit.exported', actor: commandLine });
        for await (const rows of eachEntry(db, { action, account, from, until })) {
          for (const row of rows) process.stdout.write(lineOf(row));
        }
      });
    });
  addTrim(audit, shell);
};
