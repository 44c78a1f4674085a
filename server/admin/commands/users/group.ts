import type { AddCommand } from '../console/shell.ts';
import { addUsersCreate } from './create.ts';
import { addUsersDelete } from './delete.ts';
import { addUsersDisable } from './disable.ts';
import { addUsersList } from './list.ts';
import { addUsersResetSecondFactor } from './reset-second-factor.ts';
import { addUsersSetPassword } from './set-password.ts';

export const addUsers: AddCommand = (program, shell) => {
  const users = program.command('users').description('list, create, change and delete accounts').helpCommand(false);
  const commands = [
    ...[addUsersList, addUsersCreate, addUsersSetPassword, addUsersResetSecondFactor],
    ...[addUsersDisable, addUsersDelete],
  ];
  for (const add of commands) add(users, shell);
};
