import type { Command } from 'commander';
import { validate as isUuid } from 'uuid';
import type { InviteRow } from '../../../drizzle/schema.ts';
import { commandLine, note } from '../../audit/note.ts';
import { assertInvite } from '../../auth/invites/assert-invites.ts';
import { endInvite, insertInvite, inviteLink, listInvites } from '../../auth/invites/queries.ts';
import { durationWithin, INVITE_LIFETIME } from '../../lib/duration.ts';
import { oneLine } from '../../lib/one-line.ts';
import { CommandFailed, WrongUsage } from './console/failures.ts';
import { originOf } from './console/origin.ts';
import type { AddCommand, Shell } from './console/shell.ts';
import { table } from './console/table.ts';
import { type QuotaOptions, quotaCells, quotaFrom } from './quota-options.ts';
import { refuseWrong } from './users/create.ts';

type NewOptions = QuotaOptions & { name: string; email?: string; uses: string; expires: string; origin?: string };

const day = (at: Date | null) => at?.toISOString().slice(0, 10) ?? 'never';

const forPrograms = ({ secretHash: _, ...row }: InviteRow) => row;

export const addInvites: AddCommand = (program, shell) => {
  const invites = program.command('invites').description('create, list and end invitations').helpCommand(false);
  addCreate(invites, shell);
  addList(invites, shell);
  addEnd(invites, shell);
};

function addCreate(invites: Command, shell: Shell): void {
  invites
    .command('create')
    .description('create an invitation and print its link, once')
    .requiredOption('--name <name>', 'for you to recognize it')
    .option('--email <address>', 'the only email that may use it')
    .option('--uses <number>', 'accounts that it can make', '1')
    .option('--expires <duration>', 'like 7d, or never', '7d')
    .option('--bytes <size>', 'limit of its accounts, like 10GB')
    .option('--images <number>', 'limit of its accounts')
    .option('--origin <url>', 'how people reach the server; default: PUBLIC_URL')
    .action(async ({ name, email, uses, expires, origin, ...quota }: NewOptions) => {
      if (email !== undefined) refuseWrong({ email });
      const { quotaBytes = null, quotaImages = null } = quotaFrom(quota, { isNeeded: false });
      const maxUses = /^[1-9]\d{0,4}$/.test(uses) ? Number(uses) : Number.NaN;
      if (!(maxUses <= 10_000)) throw new WrongUsage('--uses needs a whole number from 1 to 10,000.');
      const expiresAt =
        expires === 'never' ? null : new Date(Date.now() + durationWithin('expires', expires, INVITE_LIFETIME));
      await shell.withAdmin(async ({ db, config }) => {
        const url = originOf(origin, config);
        const invite = { name: oneLine(name), email: email ?? null, maxUses, quotaBytes, quotaImages, expiresAt };
        assertInvite(config, invite);
        const secret = await db.transaction(async (tx) => {
          const { row, secret } = await insertInvite(tx, invite);
          const details = { invite: row.name, email: row.email, uses: row.maxUses };
          await note(tx, { action: 'invite.created', actor: commandLine, details });
          return secret;
        });
        console.log(inviteLink(url, secret));
      });
    });
}

function addList(invites: Command, shell: Shell): void {
  invites
    .command('list')
    .description('list the invitations, the newest first')
    .option('--json', 'as JSON, for programs')
    .action(({ json }: { json?: boolean }) =>
      shell.withAdmin(async ({ db }) => {
        const rows = await listInvites(db);
        if (json) return console.log(JSON.stringify(rows.map(forPrograms), undefined, 2));
        const lines = rows.map(({ id, name, email, uses, maxUses, expiresAt, ...quota }) => [
          ...[id, name, email ?? 'anyone', `${uses} of ${maxUses}`, day(expiresAt), ...quotaCells(quota)],
        ]);
        console.log(table(['id', 'name', 'for', 'used', 'ends', 'image limit', 'size limit'], lines));
      }),
    );
}

function addEnd(invites: Command, shell: Shell): void {
  invites
    .command('end')
    .description('end an invitation; its accounts stay')
    .argument('<id>', 'the id, as "invites list" shows it')
    .action((id: string) =>
      shell.withAdmin(async ({ db }) => {
        const name = await db.transaction(async (tx) => {
          const row = isUuid(id) ? await endInvite(tx, id) : undefined;
          if (!row) throw new CommandFailed('There is no such invitation.');
          await note(tx, { action: 'invite.ended', actor: commandLine, details: { invite: row.name } });
          return row.name;
        });
        console.log(`The invitation "${name}" has ended.`);
      }),
    );
}
