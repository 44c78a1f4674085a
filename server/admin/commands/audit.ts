import { ACTIONS } from '../../audit/actions.ts';
import { dateOf, isAction } from '../../audit/filter-values.ts';
import { commandLine, note } from '../../audit/note.ts';
import { eachEntry, entryOf } from '../../audit/queries.ts';
import { auditedAccount } from '../audited-account.ts';
import { WrongUsage } from './console/failures.ts';
import type { AddCommand } from './console/shell.ts';

type Options = { action?: string; account?: string; from?: string; until?: string };

/** @throws WrongUsage */
function readDate(name: string, text: string | undefined): Date | undefined {
  const date = text === undefined ? undefined : dateOf(text);
  if (text !== undefined && !date) throw new WrongUsage(`--${name} needs a date like 2030-01-31.`);
  return date;
}

export const addAudit: AddCommand = (program, shell) => {
  program
    .command('audit')
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
          for (const row of rows) console.log(JSON.stringify(entryOf(row)));
        }
      });
    });
};
