import { commandLine, note } from '../../audit/note.ts';
import { endSessions } from '../../auth/queries.ts';
import { WrongUsage } from './console/failures.ts';
import type { AddCommand } from './console/shell.ts';
import { accountNamed, nameOf, sessionsEnded } from './users/account.ts';

type Options = { user?: string; all?: boolean };

export const addSessions: AddCommand = (program, shell) => {
  program
    .command('sessions')
    .description('end logins')
    .helpCommand(false)
    .command('revoke')
    .description('end the sessions of one account, or of all: their owners have to log in again')
    .option('--user <account>', 'of the account with this email, username or id')
    .option('--all', 'of all accounts')
    .action(async ({ user: name, all = false }: Options) => {
      if ((name !== undefined) === all) throw new WrongUsage('Give --user <account> or --all, one of them.');
      await shell.withAdmin(async ({ db }) => {
        const user = name === undefined ? undefined : await accountNamed(db, name);
        const count = await db.transaction(async (tx) => {
          const ended = await endSessions(tx, user?.id);
          if (ended > 0)
            await note(tx, { action: 'sessions.ended', actor: commandLine, account: user, details: { ended } });
          return ended;
        });
        const ended = sessionsEnded(count);
        console.log(user ? `${nameOf(user)}: ${ended}` : ended);
      });
    });
};
