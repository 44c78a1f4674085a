/** Reads what filters of the audit log contain: those of the API and of the command. */
import { ACTIONS } from './actions.ts';

/** @returns undefined for what is no date of the years 1970 to 9999: Postgres knows other years than JavaScript */
export function dateOf(text: string): Date | undefined {
  const date = new Date(/^\d{4}-\d\d-\d\d/.test(text) ? text : Number.NaN);
  const year = date.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? date : undefined;
}

/** Whether entries can have this action, or one that begins with it and a dot. */
export const isAction = (name: string): boolean =>
  ACTIONS.some((known) => known === name || known.startsWith(`${name}.`));
