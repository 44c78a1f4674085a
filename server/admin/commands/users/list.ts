import type { Command } from 'commander';
import type { UserRow } from '../../../../drizzle/schema.ts';
import { listUsers } from '../../../auth/queries.ts';
import type { Shell } from '../console/shell.ts';
import { size } from '../console/size.ts';
import { table } from '../console/table.ts';
import { quotaCells } from '../quota-options.ts';

const forPrograms = (user: UserRow) => ({
  id: user.id,
  username: user.username,
  email: user.email,
  created_at: user.createdAt.toISOString(),
  images: user.imageCount,
  bytes: user.imageBytes,
  role: user.role,
  quota_images: user.quotaImages,
  quota_bytes: user.quotaBytes,
  pending_since: user.pendingSince?.toISOString() ?? null,
  disabled_at: user.disabledAt?.toISOString() ?? null,
  links_silenced_at: user.linksSilencedAt?.toISOString() ?? null,
});

const dayOf = (moment: Date | null) => moment?.toISOString().slice(0, 10) ?? '';

const forPeople = (user: UserRow) => [
  user.id,
  user.username,
  user.email,
  user.createdAt.toISOString().slice(0, 10),
  String(user.imageCount),
  size(user.imageBytes),
  ...quotaCells(user),
  user.role,
  dayOf(user.pendingSince),
  dayOf(user.disabledAt),
  dayOf(user.linksSilencedAt),
];

const headings = [
  'id',
  'username',
  'email',
  'created',
  'images',
  'size',
  'image limit',
  'size limit',
  'role',
  'pending',
  'disabled',
  'links silenced',
];

export function addUsersList(users: Command, shell: Shell): void {
  users
    .command('list')
    .description('list the accounts, the oldest first')
    .option('--json', 'as JSON, for programs; bytes and times in full')
    .action(({ json }: { json?: boolean }) =>
      shell.withAdmin(async ({ db }) => {
        const rows = await listUsers(db);
        if (json) console.log(JSON.stringify(rows.map(forPrograms), undefined, 2));
        else console.log(table(headings, rows.map(forPeople)));
      }),
    );
}
