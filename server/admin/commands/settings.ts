import { settingsOf } from '../api/settings.ts';
import type { AddCommand } from './console/shell.ts';
import { table } from './console/table.ts';

export const addSettings: AddCommand = (program, shell) => {
  program
    .command('settings')
    .description('print the settings in the environment of this command, with masked secrets')
    .option('--json', 'as JSON, for programs')
    .action(({ json }: { json?: boolean }) => {
      const settings = settingsOf(shell.config(), process.env);
      if (json) return console.log(JSON.stringify(settings, undefined, 2));
      const lines = settings.map(({ name, value, source }) => [name, value ?? '', source]);
      console.log(table(['variable', 'value', 'source'], lines));
    });
};
