export type JsonObject = { [key: string]: Json };
export type Json = string | number | boolean | null | Json[] | JsonObject;

export const isObject = (node: Json | undefined): node is JsonObject =>
  typeof node === 'object' && node !== null && !Array.isArray(node);

/** A copy whose children are changed. */
export function mapChildren(node: Json, change: (child: Json) => Json): Json {
  if (Array.isArray(node)) return node.map(change);
  return isObject(node) ? Object.fromEntries(Object.entries(node).map(([key, child]) => [key, change(child)])) : node;
}

export const sortedByKey = (some: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(some).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Without values that JSON lacks. */
export const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value));
