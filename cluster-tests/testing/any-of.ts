import { randomInt } from 'node:crypto';

/** @returns a random item; undefined if there is none */
export const anyOf = <T>(all: Iterable<T>): T | undefined => {
  const list = [...all];
  return list.length > 0 ? list[randomInt(list.length)] : undefined;
};
