import type { AddCommand } from '../shell.ts';
import { addUsersList } from './list.ts';

export const addUsers: AddCommand = (program, shell) => {
  const users = program.command('users').description('list, make, change and delete accounts').helpCommand(false);
  addUsersList(users, shell);
};
