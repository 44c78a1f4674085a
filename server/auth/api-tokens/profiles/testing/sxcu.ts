/** Reads and runs custom uploaders of ShareX, as https://getsharex.com/docs/custom-uploader describes them. */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const Texts = Type.Record(Type.String(), Type.String());

const Sxcu = Type.Object(
  {
    Version: Type.String({ pattern: '^1[4-9]\\.\\d+\\.\\d+$' }),
    Name: Type.Optional(Type.String()),
    DestinationType: Type.String({
      pattern:
        '^(None|ImageUploader|TextUploader|FileUploader|URLShortener|URLSharingService)(, (ImageUploader|TextUploader|FileUploader))*$',
    }),
    RequestMethod: Type.Union(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => Type.Literal(method))),
    RequestURL: Type.String({ pattern: '^https?://' }),
    Parameters: Type.Optional(Texts),
    Headers: Type.Optional(Texts),
    Body: Type.Union(
      ['None', 'MultipartFormData', 'FormURLEncoded', 'JSON', 'XML', 'Binary'].map((body) => Type.Literal(body)),
    ),
    Arguments: Type.Optional(Texts),
    FileFormName: Type.Optional(Type.String()),
    URL: Type.Optional(Type.String()),
    ThumbnailURL: Type.Optional(Type.String()),
    DeletionURL: Type.Optional(Type.String()),
    ErrorMessage: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type Sxcu = Static<typeof Sxcu>;

/** @throws if ShareX would not import the file */
export function readSxcu(text: string): Sxcu {
  const value: unknown = JSON.parse(text);
  if (!Value.Check(Sxcu, value)) throw new Error(JSON.stringify([...Value.Errors(Sxcu, value)]));
  return value;
}

/** The value at a path such as `images[0].url`; an empty text if there is none. */
function select(response: string, path: string): string {
  let value: unknown = JSON.parse(response);
  for (const part of path.split(/[.[\]]+/).filter(Boolean))
    value = (value as Record<string, unknown> | undefined)?.[part];
  return value === undefined || value === null ? '' : String(value);
}

/** Evaluates a template: `{name:parameter}`, with `\` before a brace that is meant as such. */
function evaluate(template = '', response = ''): string {
  return template.replace(
    /\\(.)|\{([^{}:]+)(?::([^{}]*))?\}/g,
    (_, escaped?: string, name?: string, parameter = '') => {
      if (escaped !== undefined) return escaped;
      if (name === 'json') return select(response, parameter);
      if (name === 'response') return response;
      throw new Error(`The syntax {${name}} is not known to this reader.`);
    },
  );
}

export type Uploaded = { url: string; thumbnailUrl: string; deletionUrl: string; error: string };

/** Uploads one file as ShareX does. */
export async function runSxcu(sxcu: Sxcu, file: { name: string; bytes: Uint8Array }): Promise<Uploaded> {
  const body = new FormData();
  for (const [name, value] of Object.entries(sxcu.Arguments ?? {})) body.append(name, evaluate(value));
  body.append(sxcu.FileFormName ?? '', new Blob([new Uint8Array(file.bytes)]), file.name);
  const headers = Object.entries(sxcu.Headers ?? {}).map(([name, value]): [string, string] => [name, evaluate(value)]);
  const answer = await fetch(evaluate(sxcu.RequestURL), { method: sxcu.RequestMethod, headers, body });
  const response = await answer.text();
  const read = (template: string | undefined, isWanted: boolean) => (isWanted ? evaluate(template, response) : '');
  return {
    url: read(sxcu.URL, answer.ok),
    thumbnailUrl: read(sxcu.ThumbnailURL, answer.ok),
    deletionUrl: read(sxcu.DeletionURL, answer.ok),
    error: read(sxcu.ErrorMessage, !answer.ok),
  };
}
