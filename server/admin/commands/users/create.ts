import type { Command } from 'commander';
import { commandLine, note } from '../../../audit/note.ts';
import { problemOf } from '../../../auth/field-texts.ts';
import { hashNewPassword } from '../../../auth/password/password-rules.ts';
import { insertUser } from '../../../auth/queries.ts';
import { askPassword } from '../console/ask.ts';
import { WrongUsage } from '../console/failures.ts';
import type { Shell } from '../console/shell.ts';
import { nameOf } from './account.ts';

type Options = { username: string; email: string; passwordStdin?: boolean };

/** @throws WrongUsage with the registration's error text */
export function refuseWrong(fields: Partial<Record<Parameters<typeof problemOf>[0], string>>): void {
  for (const [field, value] of Object.entries(fields)) {
    const problem = problemOf(field as keyof typeof fields, value);
    if (problem) throw new WrongUsage(problem);
  }
}

export function addUsersCreate(users: Command, shell: Shell): void {
  users
    .command('create')
    .description('make an account, also where REGISTRATION is closed; asks for its password')
    .requiredOption('--username <name>', 'what the account is called')
    .requiredOption('--email <address>', 'what its owner logs in with')
    .option('--password-stdin', 'take the password from the standard input instead of asking for it')
    .action(async ({ username, email, passwordStdin = false }: Options) => {
      refuseWrong({ username, email });
      const password = await askPassword(passwordStdin);
      refuseWrong({ password });
      await shell.withAdmin(async ({ db }) => {
        const passwordHash = await hashNewPassword(password, { username, email });
        const user = await db.transaction(async (tx) => {
          const account = await insertUser(tx, { username, email, passwordHash });
          await note(tx, { action: 'account.registered', actor: commandLine, account });
          return account;
        });
        console.log(`The account ${nameOf(user)} is made; its id is ${user.id}.`);
      });
    });
}
