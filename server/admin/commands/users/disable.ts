import type { Command } from 'commander';
import { commandLine, note } from '../../../audit/note.ts';
import { setDisabled } from '../../../auth/queries.ts';
import type { Shell } from '../console/shell.ts';
import { accountArgument, accountNamed, nameOf, sessionsEnded } from './account.ts';

export function addUsersDisable(users: Command, shell: Shell): void {
  users
    .command('disable')
    .description(
      'end the sessions of an account, block logins to it and close its shares; links to its pictures still work',
    )
    .argument('<account>', accountArgument)
    .option('--with-links', 'also silence its public links, to pictures and albums, until it is enabled')
    .action((name: string, { withLinks = false }: { withLinks?: boolean }) =>
      shell.withAdmin(async ({ db, config }) => {
        const user = await accountNamed(db, name);
        const ended = await db.transaction(async (tx) => {
          const entry = { actor: commandLine, account: user, details: { links: withLinks } };
          const isChange = user.disabledAt === null || (withLinks && user.linksSilencedAt === null);
          if (isChange) await note(tx, { ...entry, action: 'account.disabled' });
          return setDisabled(tx, user.id, true, withLinks);
        });
        console.log(`The account ${nameOf(user)} is disabled. ${sessionsEnded(ended)}`);
        if (!withLinks && !user.linksSilencedAt) return;
        console.log('Its public links answer 404 until it is enabled.');
        if (config.cdnUrl) console.log('CDN_URL is set: what the cache in front holds of them must be purged there.');
      }),
    );
  users
    .command('enable')
    .description('let the owner of a disabled account log in again; silenced links work again')
    .argument('<account>', accountArgument)
    .action((name: string) =>
      shell.withAdmin(async ({ db }) => {
        const user = await accountNamed(db, name);
        // An account that was not disabled keeps its sessions.
        if (user.disabledAt || user.linksSilencedAt) {
          await db.transaction(async (tx) => {
            await setDisabled(tx, user.id, false);
            await note(tx, { action: 'account.enabled', actor: commandLine, account: user });
          });
        }
        console.log(`The account ${nameOf(user)} is enabled.`);
      }),
    );
}
