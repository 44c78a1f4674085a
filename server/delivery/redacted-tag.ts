import { createHmac, hkdfSync } from 'node:crypto';
import type { Redaction } from '../../drizzle/schema.ts';

export type RedactedTag = (sha256: string, redaction: Redaction) => string;

/** Keyed: a plain hash would confirm guesses of the redacted bytes. @param secret shared by all servers, kept across restarts */
export function redactedTags(secret: string): RedactedTag {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gallery, ETags of covered originals', 32));
  return (sha256, redaction) => {
    const hmac = createHmac('sha256', key).update(sha256);
    // A database may return a span's fields in any order.
    for (const span of redaction) {
      hmac.update(`${span.at}:${'fill' in span ? `${span.length}*${span.fill}` : span.bytes};`);
    }
    return `"public-${hmac.digest('base64url').slice(0, 32)}"`;
  };
}
