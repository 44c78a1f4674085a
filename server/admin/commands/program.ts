/** The administrator's program, with every command. */
import { Command } from 'commander';
import { addAudit } from './audit.ts';
import { addBackup } from './backup/backup.ts';
import { addRestore } from './backup/restore.ts';
import type { AddCommand, Shell } from './console/shell.ts';
import { addDoctor } from './doctor.ts';
import { addImages } from './images/group.ts';
import { addInvites } from './invites.ts';
import { addLinks } from './links.ts';
import { addMigrate } from './migration.ts';
import { addOverview } from './overview.ts';
import { addRenditions } from './renditions.ts';
import { addSessions } from './sessions.ts';
import { addSettings } from './settings.ts';
import { addEncrypt } from './storage/encrypt.ts';
import { addRotateKey } from './storage/rotate-key.ts';
import { addStorage } from './storage/storage.ts';
import { addUsers } from './users/group.ts';

const commands: AddCommand[] = [
  addOverview,
  addDoctor,
  addBackup,
  addRestore,
  addUsers,
  addInvites,
  addAudit,
  addImages,
  addSessions,
  addLinks,
  addRenditions,
  addEncrypt,
  addRotateKey,
  addStorage,
  addMigrate,
  addSettings,
];

const closing = `
Settings are taken from the environment, as by the server: DATA_DIR, DATABASE_URL and the others. A command works
beside a running server too, and starts the embedded database for its own time where no server runs.

Exit codes: 0 done, 1 failed or problems found, 2 wrong usage.`;

export function createProgram(shell: Shell): Command {
  const program = new Command('admin')
    .description('Manages the accounts, the pictures and the database of this server.')
    .exitOverride()
    .showHelpAfterError('(--help shows the usage)')
    .helpCommand(false)
    .addHelpText('after', closing);
  for (const add of commands) add(program, shell);
  return program;
}
