import { type Command, Option } from 'commander';
import { commandLine, note } from '../../../audit/note.ts';
import { hashNewPassword } from '../../../auth/password/password-rules.ts';
import { endTokens, setPassword } from '../../../auth/queries.ts';
import { askPassword } from '../console/ask.ts';
import type { Shell } from '../console/shell.ts';
import { accountArgument, accountNamed, nameOf, sessionsEnded, tokensEnded } from './account.ts';
import { refuseWrong } from './create.ts';
import { mailChange } from './mail-change.ts';

type Options = { passwordStdin?: boolean; keepTokens?: boolean };

export function addUsersSetPassword(users: Command, shell: Shell): void {
  users
    .command('set-password')
    .description('give an account another password, and end its sessions and API tokens; asks for the password')
    .argument('<account>', accountArgument)
    .option('--password-stdin', 'take the password from the standard input instead of asking for it')
    .option('--keep-tokens', 'keep its API tokens')
    // Scripts of before pass it; it is the default now.
    .addOption(new Option('--end-tokens').conflicts('keepTokens').hideHelp())
    .action(async (name: string, { passwordStdin = false, keepTokens = false }: Options) => {
      const password = await askPassword(passwordStdin);
      refuseWrong({ password });
      await shell.withAdmin(async (admin) => {
        const { db } = admin;
        const user = await accountNamed(db, name);
        const passwordHash = await hashNewPassword(password, user);
        const { ended, endedTokens } = await db.transaction(async (tx) => {
          await note(tx, { action: 'password.changed', actor: commandLine, account: user });
          const ended = await setPassword(tx, user.id, passwordHash);
          return { ended, endedTokens: keepTokens ? 0 : await endTokens(tx, user.id) };
        });
        console.log(`The account ${nameOf(user)} has a new password. ${sessionsEnded(ended)}`);
        if (!keepTokens) console.log(tokensEnded(endedTokens));
        await mailChange(admin, user, { kind: 'password' });
      });
    });
}
