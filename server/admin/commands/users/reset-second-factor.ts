import type { Command } from 'commander';
import { commandLine, note } from '../../../audit/note.ts';
import { endSessions } from '../../../auth/queries.ts';
import { hasFactor, resetFactors } from '../../../auth/second-factor/queries.ts';
import { underOwnerLock } from '../../../database/statements/owner-lock.ts';
import type { Shell } from '../console/shell.ts';
import { accountArgument, accountNamed, nameOf, sessionsEnded } from './account.ts';
import { mailChange } from './mail-change.ts';

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

export function addUsersResetSecondFactor(users: Command, shell: Shell): void {
  users
    .command('reset-second-factor')
    .description(
      'remove the passkeys, the authenticator app and the recovery codes of an account whose owner lost them, and end its sessions',
    )
    .argument('<account>', accountArgument)
    .action((name: string) =>
      shell.withAdmin(async (admin) => {
        const { db } = admin;
        const user = await accountNamed(db, name);
        const had = await underOwnerLock(db, user.id, async (tx) => {
          const counts = await resetFactors(tx, user.id);
          const details = { passkeys: counts.passkeys, totp: counts.hasTotp, recovery_codes: counts.recoveryCodes };
          const ended = await endSessions(tx, user.id);
          const isChange = hasFactor(counts) || counts.recoveryCodes > 0 || ended > 0;
          if (isChange) await note(tx, { action: 'factor.reset', actor: commandLine, account: user, details });
          return { ...counts, ended };
        });
        const parts = [
          counted(had.passkeys, 'passkey'),
          counted(had.hasTotp ? 1 : 0, 'authenticator app'),
          counted(had.recoveryCodes, 'recovery code'),
        ];
        console.log(
          `The account ${nameOf(user)} has no second factor now. Removed: ${parts.join(', ')}. ${sessionsEnded(had.ended)}`,
        );
        if (hasFactor(had) || had.recoveryCodes > 0) await mailChange(admin, user, { kind: 'factors-reset' });
        if (!had.hasPassword) console.log('It has no password either: give it one with "users set-password".');
      }),
    );
}
