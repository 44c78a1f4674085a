import type { Command } from 'commander';
import { commandLine, note } from '../../../audit/note.ts';
import { setQuota } from '../../../auth/roles/queries.ts';
import { differs } from '../../../lib/differs.ts';
import type { Shell } from '../console/shell.ts';
import { type QuotaOptions, quotaFrom, quotaText } from '../quota-options.ts';
import { accountArgument, accountNamed, nameOf } from './account.ts';

const closing = `
"default" goes back to the limit of the server (QUOTA, QUOTA_IMAGES). What is stored already stays.`;

export function addUsersQuota(users: Command, shell: Shell): void {
  users
    .command('quota')
    .description('set the own limits of an account')
    .argument('<account>', accountArgument)
    .option('--bytes <size>', 'like 10GB, or default')
    .option('--images <number>', 'a whole number, or default')
    .addHelpText('after', closing)
    .action(async (name: string, options: QuotaOptions) => {
      const quota = quotaFrom(options, { isNeeded: true });
      await shell.withAdmin(async ({ db }) => {
        const account = await accountNamed(db, name);
        const changed = await db.transaction(async (tx) => {
          const entry = { action: 'account.quota', actor: commandLine, account, details: quota } as const;
          if (differs(account, quota)) await note(tx, entry);
          return setQuota(tx, account.id, quota);
        });
        console.log(`The account ${nameOf(account)} may store ${quotaText(changed ?? account)}.`);
      });
    });
}
