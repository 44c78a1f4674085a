import type { Setting } from '../../contract.ts';
import { settingsOf } from '../settings.ts';
import type { AddCommand } from './console/shell.ts';
import { size } from './console/size.ts';
import { table } from './console/table.ts';

/** A value that is not a number, such as `off`, stays as it is. */
function shown({ value, unit }: Setting): string {
  if (value === null || unit === null || !/^\d/.test(value)) return value ?? '';
  return unit === 'bytes' ? size(Number(value)) : `${value} ms`;
}

export const addSettings: AddCommand = (program, shell) => {
  program
    .command('settings')
    .description('print the settings in the environment of this command, with masked secrets')
    .option('--json', 'as JSON, for programs')
    .action(({ json }: { json?: boolean }) => {
      const settings = settingsOf(shell.config(), process.env);
      if (json) return console.log(JSON.stringify(settings, undefined, 2));
      const lines = settings.map((setting) => [setting.name, shown(setting), setting.source]);
      console.log(table(['variable', 'value', 'source'], lines));
    });
};
