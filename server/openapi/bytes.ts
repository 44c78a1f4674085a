/** Answers of stored bytes, with validators and ranges (delivery/streaming/send-bytes.ts). */
import { Type } from 'typebox';

const etag = Type.String({ description: 'changes with the bytes' });
export const length = Type.Integer({ description: 'bytes of this answer' });
const range = Type.String({ description: 'the range that this answer contains, and the size of the whole' });
export const disposition = Type.String({ description: 'whether to show or save the bytes, and their file name' });

const contentOf = (type: string) => ({ [type]: { schema: Type.String({ contentMediaType: type, format: 'binary' }) } });

/** @param type media type, or a range of them */
export function bytesAnswer(description: string, type: string, headers = {}) {
  return { 'x-response-description': description, headers, content: contentOf(type) };
}

export const noContent = (description: string, headers = {}) => ({ type: 'null', description, headers });

/** @param named whether the answer has a file name */
export function byteAnswers(type: string, { named = false } = {}) {
  const tagged = { ETag: etag, ...(named ? { 'Content-Disposition': disposition } : {}) };
  const headers = { ...tagged, 'Content-Length': length, 'Accept-Ranges': Type.Literal('bytes') };
  return {
    200: bytesAnswer('The bytes.', type, headers),
    206: bytesAnswer('The requested range of the bytes.', type, { ...headers, 'Content-Range': range }),
    304: noContent('The client has these bytes already.', tagged),
  };
}

/** With LINK_MODE=redirect. */
export const bucketRedirect = noContent('The bytes are at this address for a minute.', {
  Location: Type.String({ format: 'uri', description: 'address in the bucket' }),
});

/** Request headers. */
export const ByteHeaders = Type.Object({
  Range: Type.Optional(Type.String({ description: 'one range of bytes' })),
  'If-Range': Type.Optional(Type.String({ description: 'an ETag: the range applies only to these bytes' })),
  'If-None-Match': Type.Optional(Type.String({ description: 'ETags of bytes that the client has' })),
});
