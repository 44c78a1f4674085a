/** Names what occurs often, so that the document contains it once: schemas of the contract, and refusals. */
import * as contract from '../contract.ts';
import { asJson, isObject, type Json, type JsonObject, mapChildren, sortedByKey } from './json.ts';

/** The plugin writes an empty list of headers. */
function withoutEmptyHeaders(node: Json): Json {
  if (!isObject(node) || !isObject(node.headers) || Object.keys(node.headers).length > 0) return node;
  const { headers: _empty, ...rest } = node;
  return rest;
}

/** Writes a union of constants as an enum, and a nullable type as a list of types. */
function simplified(node: Json): Json {
  const inner = mapChildren(withoutEmptyHeaders(node), simplified);
  if (!isObject(inner) || !Array.isArray(inner.anyOf)) return inner;
  const { anyOf, ...rest } = inner;
  const members = anyOf.filter(isObject);
  if (members.every((member) => member.type === 'string' && 'const' in member)) {
    return { ...rest, type: 'string', enum: members.flatMap((member) => member.const ?? []) };
  }
  const [first, second] = members;
  const isPlain = first && typeof first.type === 'string' && !('properties' in first || 'enum' in first);
  if (!isPlain || members.length !== 2 || second?.type !== 'null') return inner;
  return { ...first, ...rest, type: [first.type ?? '', 'null'] };
}

type Named = { name: string; schema: Json };

/** The objects and enums that the contract exports, by their text. */
function schemasOfContract(): Map<string, Named> {
  const found = new Map<string, Named>();
  for (const [name, exported] of Object.entries(contract)) {
    const schema = simplified(asJson(exported));
    const text = JSON.stringify(schema);
    if (isObject(schema) && (schema.type === 'object' || 'enum' in schema) && !found.has(text)) {
      found.set(text, { name, schema });
    }
  }
  return found;
}

/** @returns the name that refusals.ts gave to a response, and the response without it */
function namedResponse(node: JsonObject): { name: string; response: Json } | undefined {
  const json = isObject(node.content) ? node.content['application/json'] : undefined;
  if (!isObject(node.content) || !isObject(json) || typeof json['x-name'] !== 'string') return undefined;
  const { 'x-name': name, ...media } = json;
  return { name, response: { ...node, content: { ...node.content, 'application/json': media } } };
}

/** @param document without components of schemas and responses */
export function withComponents(document: JsonObject): JsonObject {
  const named = schemasOfContract();
  const schemas: JsonObject = {};
  const responses: JsonObject = {};

  function referring(node: Json): Json {
    if (!isObject(node)) return mapChildren(node, referring);
    const known = named.get(JSON.stringify(node));
    if (known) {
      schemas[known.name] ??= mapChildren(known.schema, referring);
      return { $ref: `#/components/schemas/${known.name}` };
    }
    const refusal = namedResponse(node);
    if (!refusal) return mapChildren(node, referring);
    responses[refusal.name] ??= mapChildren(refusal.response, referring);
    return { $ref: `#/components/responses/${refusal.name}` };
  }

  const paths = referring(simplified(document.paths ?? {}));
  const given = isObject(document.components) ? document.components : {};
  return {
    ...document,
    paths,
    components: { ...given, schemas: sortedByKey(schemas), responses: sortedByKey(responses) },
  };
}
