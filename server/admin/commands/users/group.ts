import type { AddCommand } from '../console/shell.ts';
import { addUsersApprove } from './approve.ts';
import { addUsersCreate } from './create.ts';
import { addUsersDelete } from './delete.ts';
import { addUsersDisable } from './disable.ts';
import { addUsersList } from './list.ts';
import { addUsersPasswordLink } from './password-link.ts';
import { addUsersQuota } from './quota.ts';
import { addUsersResetSecondFactor } from './reset-second-factor.ts';
import { addUsersRole } from './role.ts';
import { addUsersSetPassword } from './set-password.ts';

const all = [
  ...[addUsersList, addUsersCreate, addUsersRole, addUsersApprove, addUsersQuota],
  ...[addUsersSetPassword, addUsersPasswordLink, addUsersResetSecondFactor, addUsersDisable, addUsersDelete],
];

export const addUsers: AddCommand = (program, shell) => {
  const users = program.command('users').description('list, create, change and delete accounts').helpCommand(false);
  for (const add of all) add(users, shell);
};
