/** Malformed calls for any route: ids, queries, bodies and headers that are wrong, too long or forged. */
import type { Call } from '../call.ts';

/** A route as the server names it: `/api/albums/:id/images`. */
export type Route = { method: string; url: string };

export type HostileCall = Call & { path: string };

/** Ids in the encoded form of a path. */
const ids = [
  '%00',
  '__proto__',
  'constructor',
  '..%2F..%2Fetc%2Fpasswd',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '-1',
  '9'.repeat(400),
  'x'.repeat(3000),
  '00000000-0000-0000-0000-000000000000',
  "'%3B%20drop%20table%20images%3B--",
];

const queries = [
  'page=1&page=2',
  'page[]=1&search[$ne]=x&sort[by]=date&ids[]=a',
  'page=-1',
  'page=1e999',
  `page=${'9'.repeat(400)}`,
  'search=%00&sort=name',
  'search=%ED%A0%80&page=2',
  'search=a&search=b',
  `search=${'album:a%20'.repeat(300)}`,
  `search=${'type:png%20x%20'.repeat(200)}`,
  `search=${'%22'.repeat(2000)}`,
  'sort=__proto__&order=constructor',
  'ids=%00,__proto__',
  `ids=${'00000000-0000-4000-8000-000000000000,'.repeat(201)}`,
  '__proto__[admin]=1&constructor.prototype.admin=1',
];

const fields = [
  'username',
  'email',
  'password',
  'current_password',
  'new_password',
  'token',
  'language',
  'name',
  'filename',
  'description',
  'ids',
  'before',
  'cover',
  'position',
];

/** JSON values, each sent for all fields at once. */
const values = [
  'null',
  'true',
  '0',
  '-1',
  '1e999',
  '9007199254740993',
  '""',
  '"\\u0000"',
  '"a\\u0000b@example.com"',
  '"\\ud83d"',
  '"\\ud83d@example.com long enough"',
  '"\\u202e\\uffff"',
  `"${'x'.repeat(5000)}"`,
  `"${'x'.repeat(300_000)}"`,
  '[]',
  '["\\u0000"]',
  `[${'"00000000-0000-4000-8000-000000000000",'.repeat(6000)}"x"]`,
  '[[["a"]]]',
  '{}',
  '{"$ne":null}',
  '{"__proto__":{"admin":true}}',
  '"__proto__"',
];
const bodies = [
  ...values.map((value) => `{${fields.map((field) => `"${field}":${value}`).join(',')}}`),
  '',
  'null',
  '[]',
  '"text"',
  'NaN',
  '{',
  '\0',
  '\ufeff{}',
  '{"__proto__":{"name":"x"},"constructor":{"prototype":{"admin":true}}}',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
];

const parts = `--x\r\ncontent-disposition: form-data; name="images"; filename="\0"\r\n\r\nGIF89a\r\n--x--\r\n`;
const types: [string, string][] = [
  ['text/plain', '{"name":"x"}'],
  ['application/x-www-form-urlencoded', 'name=x&ids[]=1&__proto__[a]=1'],
  ['multipart/form-data', parts],
  ['multipart/form-data; boundary=x', parts],
  ['multipart/form-data; boundary=x', parts.slice(0, 60)],
  ['multipart/form-data; boundary=', parts],
  ['application/json; charset=utf-16', '{"name":"x"}'],
  ['application/offset+octet-stream', 'x'],
  ['application/xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ['garbage', 'x'],
  ['*/*', '\0'],
];

const tus = [
  { 'tus-resumable': '1.0.0', 'upload-length': '5' },
  { 'tus-resumable': '1.0.0', 'upload-length': '-1', 'upload-offset': '-1' },
  { 'tus-resumable': '1.0.0', 'upload-length': '9'.repeat(40), 'upload-offset': '9'.repeat(40) },
  { 'tus-resumable': '1.0.0', 'upload-length': '1e3', 'upload-metadata': 'filename !!!,__proto__ AA==' },
  { 'tus-resumable': '1.0.0', 'upload-length': '5', 'upload-metadata': 'filename AAAA,filename AAAA' },
  { 'tus-resumable': '__proto__' },
];

const odd = [
  { range: `bytes=${'0-,'.repeat(500)}` },
  { range: 'bytes=9007199254740993-', 'if-none-match': '"'.repeat(500), 'if-range': 'x' },
  { authorization: 'Bearer a.b.c' },
  { authorization: `Bearer ${'x'.repeat(4000)}`, cookie: 'session=%00; session=a.b.c; __proto__=1' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  { 'accept-language': 'x'.repeat(2000), accept: '*/*;q=__proto__', 'accept-encoding': 'zstd, *;q=9' },
];

/**
 * @param known ids that belong to another account
 * @returns the calls of a route, those with another account's ids first
 */
export function hostileCalls({ method, url }: Route, known: readonly string[]): HostileCall[] {
  const plain = url.replaceAll(/:\w+(?:\([^)]*\))?|\*/g, 'x');
  const named = url === plain ? [] : [...known, ...ids].map((id) => url.replaceAll(/:\w+(?:\([^)]*\))?|\*/g, id));
  const [first = plain] = named;
  const json = { 'content-type': 'application/json' };
  const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
  return [
    ...named.map((path): HostileCall => ({ method, path })),
    ...queries.map((query): HostileCall => ({ method, path: `${first}?${query}` })),
    ...odd.map((headers): HostileCall => ({ method, path: first, headers })),
    ...tus.map((headers): HostileCall => ({ method, path: first, headers })),
    ...(hasBody ? bodies.map((body): HostileCall => ({ method, path: first, headers: json, body })) : []),
    ...(hasBody
      ? types.map(([type, body]): HostileCall => ({ method, path: first, headers: { 'content-type': type }, body }))
      : []),
  ];
}
