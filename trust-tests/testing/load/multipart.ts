/** Builds forms that no browser would send. */
export type Part = {
  /** The part's header lines, without the empty line after them. */
  head: string;
  body?: string | Uint8Array;
};

const ownBoundary = '----------------a-boundary-of-our-own';

export const file = (filename: string, body: string | Uint8Array, field = 'images'): Part => ({
  head: `Content-Disposition: form-data; name="${field}"; filename="${filename}"\r\nContent-Type: image/png`,
  body,
});

export const field = (name: string, body: string): Part => ({
  head: `Content-Disposition: form-data; name="${name}"`,
  body,
});

/** @param end closes the form; empty for a form without end */
export function multipart(parts: Part[], end?: string, boundary = ownBoundary) {
  const pieces = parts.flatMap(({ head, body = '' }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ]);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...pieces, Buffer.from(end ?? `--${boundary}--\r\n`)]),
  };
}
