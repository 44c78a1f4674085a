/** Whether programs written for one version of the document work with the next one. */
import type { JsonObject } from './json.ts';
import { type Promises, promisesOf } from './promises.ts';

/** An operation that anyone may call needs no scope any more. */
const isOpen = (grant: string, { grants }: Promises) => grants.has(grant.replace(/ with [\w:]+$/, ' with none'));

/** A name with something behind it, such as a field or a status. */
const isPartOf = (part: string, whole: string) => part.startsWith(whole) && /^[ .:[]/.test(part.slice(whole.length));

/** Removed promises; of one that is gone, not also its parts. */
function removals(before: Promises, after: Promises): string[] {
  const gone = [...before.grants].filter((grant) => !after.grants.has(grant) && !isOpen(grant, after));
  return gone.filter((grant) => !gone.some((other) => isPartOf(grant, other)));
}

function additions(before: Promises, after: Promises): string[] {
  const added = [...after.demands].filter(([demand, { on }]) => before.grants.has(on) && !before.demands.has(demand));
  return added.map(([demand]) => demand);
}

function tighterLimits(before: Promises, after: Promises): string[] {
  return [...after.limits].flatMap(([name, { on, value, isUpper }]) => {
    const old = before.limits.get(name)?.value ?? (isUpper ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
    const isTighter = isUpper ? value < old : value > old;
    return before.grants.has(on) && isTighter ? `${name} ${value}` : [];
  });
}

/** @returns a line for each removal and narrowing; empty if `after` only adds */
export function brokenPromises(before: JsonObject, after: JsonObject): string[] {
  const [old, now] = [promisesOf(before), promisesOf(after)];
  return [
    ...removals(old, now).map((line) => `removed: ${line}`),
    ...[...additions(old, now), ...tighterLimits(old, now)].map((line) => `narrower: ${line}`),
  ];
}
