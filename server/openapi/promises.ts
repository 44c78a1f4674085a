/** What programs may rely on, read from an OpenAPI document. */
import { isObject, type Json, type JsonObject } from './json.ts';

/** `on`: the promise to which it adds. It breaks programs only if they could rely on that before. */
type Demand = { on: string };
type Limit = Demand & { value: number; isUpper: boolean };

export type Promises = {
  /** What a program may do, send and expect. None may go. */
  grants: Set<string>;
  /** What a program must send or handle. None may be added to an older grant. */
  demands: Map<string, Demand>;
  /** Bounds of what a program sends. None may become tighter. */
  limits: Map<string, Limit>;
};

const methods = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete'];
const upper = ['maximum', 'maxLength', 'maxItems'];
const lower = ['minimum', 'minLength', 'minItems'];
const forms = ['pattern', 'format', 'uniqueItems'];

const list = (value: Json | undefined): Json[] => (value === undefined ? [] : ([value].flat() as Json[]));
const entriesOf = (value: Json | undefined) => (isObject(value) ? Object.entries(value) : []);

const typesOf = ({ type, const: only, enum: values }: JsonObject): Json[] =>
  type === undefined ? [...new Set([...list(only), ...list(values)].map((value) => typeof value))] : list(type);

/** @returns a function that follows references; it returns an empty object for a node that is none */
function createResolver(document: JsonObject) {
  return function resolved(node: Json | undefined): JsonObject {
    if (!isObject(node)) return {};
    if (typeof node.$ref !== 'string') return node;
    let target: Json | undefined = document;
    for (const part of node.$ref.slice(2).split('/')) target = isObject(target) ? target[part] : undefined;
    return resolved(target);
  };
}

export function promisesOf(document: JsonObject): Promises {
  const grants = new Set<string>();
  const demands = new Map<string, Demand>();
  const limits = new Map<string, Limit>();

  const resolved = createResolver(document);

  /** A member of a value: a field, or the items of a list. */
  function readMembers(schema: JsonObject, at: string, read: (schema: JsonObject, at: string) => void): void {
    for (const [name, field] of entriesOf(schema.properties)) read(resolved(field), `${at}.${name}`);
    if (schema.items !== undefined) read(resolved(schema.items), `${at}[]`);
  }

  function readSent(schema: JsonObject, at: string): void {
    grants.add(at);
    for (const member of [...list(schema.anyOf), ...list(schema.oneOf)]) readSent(resolved(member), at);
    for (const type of typesOf(schema)) grants.add(`${at}: ${type}`);
    const values = [...list(schema.enum), ...list(schema.const)];
    if (values.length === 0) grants.add(`${at}: any value`);
    for (const value of values) grants.add(`${at}: ${JSON.stringify(value)}`);
    for (const name of list(schema.required)) demands.set(`${at}.${name} is required`, { on: at });
    for (const name of forms)
      if (schema[name] !== undefined) demands.set(`${at} has ${name} ${schema[name]}`, { on: at });
    for (const name of [...upper, ...lower]) {
      const value = schema[name];
      if (typeof value === 'number') limits.set(`${at} ${name}`, { on: at, value, isUpper: upper.includes(name) });
    }
    readMembers(schema, at, readSent);
  }

  function readAnswered(schema: JsonObject, at: string): void {
    grants.add(at);
    for (const member of [...list(schema.anyOf), ...list(schema.oneOf)]) readAnswered(resolved(member), at);
    for (const type of typesOf(schema)) demands.set(`${at} may be ${type}`, { on: at });
    for (const value of [...list(schema.enum), ...list(schema.const)]) grants.add(`${at}: ${JSON.stringify(value)}`);
    for (const name of list(schema.required)) grants.add(`${at}.${name} is always present`);
    readMembers(schema, at, readAnswered);
  }

  function readRequest(operation: JsonObject, name: string): void {
    for (const parameter of list(operation.parameters).map(resolved)) {
      const at = `${name} ${parameter.in} ${parameter.name}`;
      if (parameter.required) demands.set(`${at} is required`, { on: name });
      readSent(resolved(parameter.schema), at);
    }
    const body = resolved(operation.requestBody);
    if (body.required) demands.set(`${name} body is required`, { on: name });
    for (const [type, media] of entriesOf(body.content))
      readSent(resolved(resolved(media).schema), `${name} body ${type}`);
  }

  function readOperation(operation: JsonObject, name: string): void {
    grants.add(name);
    grants.add(`${name} is ${operation.operationId}`);
    const scopes = operation['x-scopes'];
    for (const scope of list(scopes)) if (scope !== 'session') grants.add(`${name} with ${scope}`);
    for (const flag of ['x-all-albums', 'x-token-only'])
      if (operation[flag]) demands.set(`${name} ${flag}`, { on: name });
    readRequest(operation, name);
    for (const [status, answer] of entriesOf(operation.responses)) {
      const { content, headers } = resolved(answer);
      grants.add(`${name} ${status}`);
      for (const [header] of entriesOf(headers)) grants.add(`${name} ${status} header ${header}`);
      for (const [type, media] of entriesOf(content))
        readAnswered(resolved(resolved(media).schema), `${name} ${status} ${type}`);
    }
  }

  for (const [path, item] of entriesOf(document.paths)) {
    for (const method of methods) {
      if (isObject(item) && isObject(item[method])) readOperation(item[method], `${method.toUpperCase()} ${path}`);
    }
  }
  return { grants, demands, limits };
}
