import type { UserRow } from '../../drizzle/schema.ts';
import type { User } from '../contract.ts';

export const userAnswer = (row: Pick<UserRow, 'id' | 'username' | 'email' | 'createdAt'>): User => ({
  id: row.id,
  username: row.username,
  email: row.email,
  created_at: row.createdAt.toISOString(),
});
