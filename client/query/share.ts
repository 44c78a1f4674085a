interface Identified {
  readonly id: unknown;
}

const hasId = (value: unknown): value is Identified => typeof value === 'object' && value !== null && 'id' in value;

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function shareArray(before: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const known = new Map(before.filter(hasId).map((item) => [item.id, item]));
  const shared = next.map((item, index) => share(hasId(item) ? known.get(item.id) : before[index], item));
  return shared.length === before.length && shared.every((item, index) => item === before[index]) ? before : shared;
}

/**
 * Structural sharing: returns `next` with its unchanged parts replaced by those of `before`, which avoids renders. Items of
 * arrays are matched by their `id`, if they have one.
 */
export function share<T>(before: unknown, next: T): T;
export function share(before: unknown, next: unknown): unknown {
  if (Object.is(before, next)) return before;
  if (Array.isArray(before) && Array.isArray(next)) return shareArray(before, next);
  if (!isPlain(before) || !isPlain(next)) return next;
  const shared = Object.fromEntries(Object.entries(next).map(([name, value]) => [name, share(before[name], value)]));
  const names = Object.keys(shared);
  const isSame = names.length === Object.keys(before).length && names.every((name) => shared[name] === before[name]);
  return isSame ? before : shared;
}
