import type { Command } from 'commander';
import type { UserRow } from '../../../../drizzle/schema.ts';
import { commandLine, note } from '../../../audit/note.ts';
import { setRole } from '../../../auth/roles/queries.ts';
import type { Shell } from '../console/shell.ts';
import { accountArgument, accountNamed, nameOf } from './account.ts';

type Role = UserRow['role'];

const texts: Record<Role, { command: string; description: string; done: string }> = {
  admin: {
    command: 'promote',
    description: 'make an account an administrator',
    done: 'is an administrator now',
  },
  user: {
    command: 'demote',
    description: 'make an administrator an ordinary account; the last one stays',
    done: 'is an ordinary account now',
  },
};

export function addUsersRole(users: Command, shell: Shell): void {
  for (const role of ['admin', 'user'] as const) {
    const { command, description, done } = texts[role];
    users
      .command(command)
      .description(description)
      .argument('<account>', accountArgument)
      .action((name: string) =>
        shell.withAdmin(async ({ db }) => {
          const account = await accountNamed(db, name);
          await db.transaction(async (tx) => {
            await setRole(tx, account.id, role);
            const entry = { action: 'account.role', actor: commandLine, account, details: { role } } as const;
            if (account.role !== role) await note(tx, entry);
          });
          console.log(`The account ${nameOf(account)} ${done}.`);
        }),
      );
  }
}
