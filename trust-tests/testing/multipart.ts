/** Forms that no browser would send. */
export type Part = {
  /** The part's header lines, without the empty line behind them. */
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

/** @param end what closes the form; empty for one that does not end */
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
