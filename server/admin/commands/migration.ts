import { runMigrations } from '../../database/migrations/migrate.ts';
import { programVersion } from '../../lib/version.ts';
import { CommandFailed } from './console/failures.ts';
import type { AddCommand } from './console/shell.ts';
import { noteCommand } from './note-command.ts';

export const addMigrate: AddCommand = (program, shell) => {
  program
    .command('migrate')
    .description("bring the database's tables up to date, all steps or none; the server's start does the same")
    .action(() =>
      shell.withAdmin(
        async ({ db, schema, address }) => {
          if (schema === 'newer') {
            throw new CommandFailed("The database's tables are newer than this program: use the newer program.");
          }
          await runMigrations(address);
          if (schema !== 'current') await noteCommand(db, 'migrate', { version: programVersion() });
          console.log('The database is up to date.');
        },
        { anySchema: true },
      ),
    );
};
