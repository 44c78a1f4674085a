import { runMigrations } from '../../database/migrations/migrate.ts';
import { CommandFailed } from './console/failures.ts';
import type { AddCommand } from './console/shell.ts';

export const addMigrate: AddCommand = (program, shell) => {
  program
    .command('migrate')
    .description("bring the database's tables up to date, all steps or none; the server's start does the same")
    .action(() =>
      shell.withAdmin(
        async ({ schema, address }) => {
          if (schema === 'newer') {
            throw new CommandFailed("The database's tables are newer than this program: use the newer program.");
          }
          await runMigrations(address);
          console.log('The database is up to date.');
        },
        { anySchema: true },
      ),
    );
};
