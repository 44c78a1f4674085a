/** What the routes' schemas cannot say, by operation: bodies that are streams, headers, and queries that the handlers check. */
import type { FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { GuestResumableUpload, ResumableUpload } from '../contract.ts';
import { ByteHeaders, bucketRedirect, byteAnswers, bytesAnswer, disposition, length, noContent } from './bytes.ts';
import type { EveryAnswer } from './refusals.ts';

export type Addition = Pick<FastifySchema, 'headers' | 'body' | 'querystring'> & {
  description?: string;
  consumes?: string[];
  response?: Record<number, object>;
  /** Statuses whose answer may also be text. */
  text?: number[];
  /** Refusals that are a page if a browser opens the address. */
  pages?: number[];
  /** Statuses whose refusals may name several files. */
  lists?: number[];
  /** Statuses whose refusals may contain the next step of a login. */
  nextSteps?: number[];
  every?: EveryAnswer;
};

const Uuid = (description: string) => Type.String({ format: 'uuid', description });
const Page = Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'number of the page' }));
const Duration = Type.String({ pattern: '^[1-9][0-9]{0,6}[mhdwy]$', description: '`5m` to `5y`' });
const Keys = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}( *, *[A-Za-z0-9_-]{1,64})*$',
  description: 'a key for each file, in the order of the files, separated by commas',
});

const html = (description: string) => bytesAnswer(description, 'text/html');
const binary = Type.String({ contentMediaType: 'application/octet-stream', format: 'binary' });
const form = (properties: Record<string, TSchema>, required: string[]) => ({
  content: { 'multipart/form-data': { schema: Type.Object(properties, { required }) } },
});

const TusVersion = { 'Tus-Resumable': Type.Literal('1.0.0', { description: 'version of the tus protocol' }) };
const Tus = Type.Object(TusVersion);
const offset = Type.Integer({ minimum: 0, description: 'bytes that have arrived' });
const expires = Type.String({ description: 'HTTP date: when the unfinished upload is deleted' });
const Metadata = Type.String({
  description:
    'pairs of a key and a value in base64, separated by commas: `filename`, `album`, `expires_in`, `delete_link`, `upload_key`',
});
const progress = { 'Upload-Offset': offset, 'Upload-Expires': expires };
const tus: EveryAnswer = {
  name: 'tus',
  headers: { ...TusVersion, 'Tus-Version': Type.String({ description: 'supported versions' }) },
};

const link = {
  pages: [404, 410],
  headers: ByteHeaders,
  response: { ...byteAnswers('image/*', { named: true }), 302: bucketRedirect },
};
const rendition = (type: string) => ({
  pages: [404, 410],
  headers: ByteHeaders,
  response: { ...byteAnswers(type), 302: bucketRedirect },
});

/** Without redirects: a link into the bucket would outlive the share. */
const shared = (type: string, named = {}) => ({
  pages: [404, 410, 429],
  headers: ByteHeaders,
  response: byteAnswers(type, named),
});
const guestRendition = (type: string) => ({ headers: ByteHeaders, response: byteAnswers(type) });
const seeLocation = { Location: Type.String({ format: 'uri-reference', description: "the page's path" }) };

const seeAddress = { Location: Type.String({ format: 'uri', description: 'address that continues the login' }) };

const uploadOptions = Type.Object({
  album: Type.Optional(Uuid('id of the album to whose end the images go')),
  expires_in: Type.Optional(Duration),
  delete_link: Type.Optional(
    Type.Union([Type.Literal('1'), Type.Literal('0'), Type.Literal('true'), Type.Literal('false')], {
      description: 'whether each image in the answer has a `delete_url`',
    }),
  ),
});

const cheveretoParameters = {
  title: Type.Optional(Type.String({ description: 'name of the image' })),
  description: Type.Optional(Type.String({ description: 'alternative text' })),
  album_id: Type.Optional(Uuid('id of the album to whose end the image goes')),
  expiration: Type.Optional(Type.String({ description: 'ISO 8601 duration after which the image expires' })),
  format: Type.Optional(
    Type.Union([Type.Literal('json'), Type.Literal('txt'), Type.Literal('redirect')], { default: 'json' }),
  ),
};

const OpenApiDocument = Type.Object({
  openapi: Type.Literal('3.1.0'),
  info: Type.Object({
    title: Type.String(),
    description: Type.String(),
    version: Type.String(),
    license: Type.Object({ name: Type.String(), identifier: Type.String() }),
    contact: Type.Object({ name: Type.String() }),
  }),
  servers: Type.Array(Type.Object({ url: Type.String(), description: Type.String() })),
  tags: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
  paths: Type.Object({}, { description: 'by address' }),
  components: Type.Object({}, { description: 'schemas, responses and security schemes' }),
});

const archiveHeaders = { 'Content-Disposition': disposition, 'Content-Length': length };

/** @param nameOf their operations for accounts or for guests of collect links */
function tusOperations(Answer: TSchema, nameOf: (name: string) => string): Record<string, Addition> {
  const operations: Record<string, Addition> = {
    getUploadOptions: {
      every: tus,
      response: {
        204: noContent('What the server supports.', {
          'Tus-Extension': Type.String({ description: 'supported extensions, separated by commas' }),
          'Tus-Max-Size': Type.Integer({ description: 'bytes of the largest upload' }),
        }),
      },
    },
    createUpload: {
      every: tus,
      headers: Type.Object({
        ...TusVersion,
        'Upload-Length': Type.Integer({ minimum: 1, description: 'bytes of the file' }),
        'Upload-Metadata': Type.Optional(Metadata),
      }),
      response: {
        201: noContent('The upload is open.', {
          Location: Type.String({ format: 'uri-reference', description: 'path of the upload' }),
          ...progress,
        }),
      },
    },
    getUploadOffset: {
      every: tus,
      description: 'Ends a request that is still writing to the upload.',
      headers: Tus,
      response: {
        200: noContent('How far the upload is.', {
          'Upload-Length': Type.Integer({ description: 'bytes of the file' }),
          'Upload-Metadata': Metadata,
          ...progress,
        }),
      },
    },
    getUpload: { every: tus, description: 'When all bytes have arrived, it waits for the result.' },
    appendToUpload: {
      every: tus,
      headers: Type.Object({
        ...TusVersion,
        'Upload-Offset': offset,
        Prefer: Type.Optional(
          Type.String({ description: '`return=representation`: answer the result of the last part' }),
        ),
      }),
      body: { content: { 'application/offset+octet-stream': { schema: binary } } },
      consumes: ['application/offset+octet-stream'],
      response: {
        200: {
          ...Answer,
          headers: {
            ...progress,
            'Preference-Applied': Type.Literal('return=representation', { description: 'the `Prefer` of the call' }),
          },
        },
        204: noContent('The part is stored.', progress),
      },
    },
    cancelUpload: { every: tus, headers: Tus, response: { 204: noContent('The upload is cancelled.') } },
  };
  return Object.fromEntries(Object.entries(operations).map(([name, addition]) => [nameOf(name), addition]));
}

export const additions: Record<string, Addition> = {
  getOpenApi: {
    headers: Type.Object({ 'If-None-Match': Type.Optional(Type.String({ description: 'the ETag of a copy' })) }),
    response: {
      200: {
        'x-response-description': 'This document.',
        headers: { ETag: Type.String({ description: 'changes with the document' }) },
        content: { 'application/json': { schema: OpenApiDocument } },
      },
      304: noContent('The client has this document already.', { ETag: Type.String() }),
    },
  },
  changeImage: { description: 'To bring the end of an image forward, a token also needs the scope `images:delete`.' },
  logIn: {
    description: 'An account with a second factor gets 401 with `SECOND_FACTOR_NEEDED` and a token for the next step.',
    nextSteps: [401],
  },
  createAlbum: { description: 'Refuses tokens that are restricted to an album.' },
  deleteAlbum: { description: 'Refuses tokens that are restricted to an album.' },
  listStableLinks: { description: 'Refuses tokens that are restricted to an album.' },
  createStableLink: { description: 'Refuses tokens that are restricted to an album.' },
  changeStableLink: { description: 'Refuses tokens that are restricted to an album.' },
  deleteStableLink: { description: 'Refuses tokens that are restricted to an album.' },
  openStableLink: {
    description: 'A name may be in any case.',
    pages: [404, 410, 429],
    response: {
      302: noContent('The image is at this address, until its owner changes it.', {
        Location: Type.String({ format: 'uri-reference', description: 'link to the original' }),
      }),
    },
  },
  listImages: {
    description: 'A search may contain operators, such as `type:png` or `size:>5mb`.',
    querystring: Type.Object({
      page: Page,
      deleted: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 999_999_999,
          default: 0,
          description:
            'how many images of the pages before were deleted since those were listed: the page begins that much earlier, so that none is skipped',
        }),
      ),
      search: Type.Optional(Type.String({ description: 'words and operators' })),
      sort: Type.Optional(
        Type.Union([Type.Literal('date'), Type.Literal('name'), Type.Literal('size')], { default: 'date' }),
      ),
      order: Type.Optional(
        Type.Union([Type.Literal('asc'), Type.Literal('desc')], {
          description: 'descending by default, but ascending by name',
        }),
      ),
      language: Type.Optional(
        Type.String({
          description:
            'language tag of the reader, for the order by name: `ar` puts Arabic letters before others; all other languages ' +
            'have the root order of Unicode, which is also the order of English',
        }),
      ),
      time_zone: Type.Optional(
        Type.String({
          default: 'UTC',
          description:
            'IANA name of the reader’s time zone, such as `Asia/Tokyo`, in which the dates of the search are',
        }),
      ),
    }),
  },
  getAlbum: { querystring: Type.Object({ page: Page }) },
  uploadImages: {
    description:
      'Answers 201 if all files are stored, 207 if some are refused, and otherwise with the refusal of the first. With ' +
      '`Accept: text/plain`, the answer is a line for each file: its link, or `! <filename>: <reason>`.',
    text: [201, 207, 400, 409, 413, 415, 422],
    lists: [400, 409, 413, 415, 422],
    querystring: uploadOptions,
    headers: Type.Object({ 'Upload-Keys': Type.Optional(Keys) }),
    body: form({ images: Type.Array(binary, { minItems: 1, description: 'the files' }) }, ['images']),
    consumes: ['multipart/form-data'],
  },
  uploadForZipline: {
    description: 'Stores all files or none. With `X-Zipline-No-Json: true`, the answer is a link on each line.',
    text: [200],
    every: {
      name: 'zipline',
      headers: {
        'X-Ignored': Type.String({ description: 'the `X-Zipline-` headers of the call that have no effect' }),
      },
    },
    headers: Type.Object({
      'X-Zipline-Folder': Type.Optional(Uuid('id of the album to whose end the images go')),
      'X-Zipline-Deletes-At': Type.Optional(
        Type.String({ description: 'when the images expire: a duration, or `date=` and a time' }),
      ),
      'X-Zipline-Original-Name': Type.Optional(Type.String({ description: '`false`: do not keep the file names' })),
      'X-Zipline-No-Json': Type.Optional(Type.String({ description: '`true`: answer with text' })),
    }),
    body: form({ file: Type.Array(binary, { minItems: 1, description: 'the files' }) }, ['file']),
    consumes: ['multipart/form-data'],
  },
  uploadForChevereto: {
    description: 'The parameters may also be fields of the form.',
    text: [200, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503, 507],
    querystring: Type.Object(cheveretoParameters),
    body: form({ source: binary, ...cheveretoParameters }, ['source']),
    consumes: ['multipart/form-data'],
    response: {
      302: noContent('With `format=redirect`: the image is at this address.', {
        Location: Type.String({ format: 'uri', description: 'link to the original' }),
      }),
    },
  },
  findUploaded: { headers: Type.Object({ 'Upload-Keys': Type.Optional(Keys) }) },
  ...tusOperations(ResumableUpload, (name) => name),
  ...tusOperations(GuestResumableUpload, (name) => `${name}OfGuest`),
  downloadOriginal: { headers: ByteHeaders, response: byteAnswers('image/*', { named: true }) },
  downloadArchive: {
    querystring: Type.Object(
      { ids: Type.Array(Uuid('id of an image'), { minItems: 1, maxItems: 200 }) },
      { style: 'form', explode: false },
    ),
    response: { 200: bytesAnswer('A ZIP file. It names images that are missing.', 'application/zip', archiveHeaders) },
  },
  listAccounts: {
    querystring: Type.Object({
      page: Page,
      search: Type.Optional(Type.String({ maxLength: 200, description: 'part of a username or an email' })),
      state: Type.Optional(
        Type.Union([Type.Literal('all'), Type.Literal('pending'), Type.Literal('disabled'), Type.Literal('admin')], {
          default: 'all',
        }),
      ),
    }),
  },
  exportAuditLog: {
    response: {
      200: bytesAnswer('One entry in each line.', 'application/x-ndjson', { 'Content-Disposition': disposition }),
    },
  },
  getPublicOriginal: link,
  getThumbnail: rendition('image/webp'),
  getScreen: rendition('image/webp'),
  getThumbnailAvif: rendition('image/avif'),
  getScreenAvif: rendition('image/avif'),
  startProviderLogin: {
    description: 'If the provider does not answer, it leads to the login page instead.',
    response: { 302: noContent('The login continues there.', seeAddress) },
  },
  startProviderRegistration: {
    description: 'A new account uses the invitation. A claim makes the account the first administrator.',
  },
  startProviderProof: {
    description: 'After it, `POST /api/account/proof` with an empty body gives the session a proof.',
  },
  returnFromProvider: {
    description: 'Leads to the page, with a code that works once, or with what is wrong.',
    response: { 302: noContent('The login continues there.', seeAddress) },
  },
  endProviderSessions: { consumes: ['application/x-www-form-urlencoded'] },
  listShareImages: { querystring: Type.Object({ page: Page }) },
  createShare: { description: 'A token that is restricted to an album can share only that album.' },
  openShare: {
    description: 'Without the cookie of a protected share, it is a page that asks for the password.',
    pages: [404, 410, 429],
    querystring: Type.Object({ page: Page }),
    response: { 200: html('The page.'), 302: noContent('The short name is in lower case.', seeLocation) },
  },
  unlockShare: {
    description: 'Ten wrong passwords a minute are checked for a share. A right one sets a cookie for this share.',
    pages: [404, 410, 429],
    consumes: ['application/x-www-form-urlencoded'],
    response: {
      303: noContent('The password is right, or none is needed.', seeLocation),
      403: html('The page again: the password is wrong.'),
    },
  },
  downloadShare: {
    querystring: Type.Object({ part: Page }),
    pages: [404, 410, 429],
    response: { 200: bytesAnswer('A ZIP file. It names images that are missing.', 'application/zip', archiveHeaders) },
  },
  getShareOEmbed: {
    pages: [404, 410, 429],
    querystring: Type.Object({
      url: Type.Optional(Type.String({ description: 'the address of the page; it has no effect' })),
      format: Type.Optional(Type.Literal('json')),
      maxwidth: Type.Optional(Type.Integer({ minimum: 1, description: 'px' })),
      maxheight: Type.Optional(Type.Integer({ minimum: 1, description: 'px' })),
    }),
  },
  getSharedOriginal: shared('image/*', { named: true }),
  getSharedThumbnail: shared('image/webp'),
  getSharedScreen: shared('image/webp'),
  getSharedThumbnailAvif: shared('image/avif'),
  getSharedScreenAvif: shared('image/avif'),
  createCollectLink: { description: 'A token that is restricted to an album can create links for that album only.' },
  listWaitingImages: { querystring: Type.Object({ page: Page }) },
  admitImages: { description: 'If the album has no room for all of them, none is admitted.' },
  getWaitingThumbnail: { headers: ByteHeaders, response: byteAnswers('image/webp') },
  getWaitingScreen: { headers: ByteHeaders, response: byteAnswers('image/webp') },
  openCollectLink: {
    pages: [429, 500, 503],
    description: 'Also for a link that has ended: the page says so.',
    response: { 200: html('The page.') },
  },
  enterCollectLink: {
    description:
      'Sets a cookie for this link. A call with that cookie changes the name, and gives a new password, of the same guest. ' +
      'Ten wrong passwords a minute are checked for a link.',
  },
  listGuestImages: { querystring: Type.Object({ page: Page }) },
  listCollectAlbum: {
    description: 'Answers 404 if guests do not see the album.',
    querystring: Type.Object({ page: Page }),
  },
  addGuestImages: {
    description:
      'Answers 201 if all files are stored, 207 if some are refused, and otherwise with the refusal of the first.',
    lists: [409, 413, 415, 422],
    headers: Type.Object({ 'Upload-Keys': Type.Optional(Keys) }),
    body: form({ images: Type.Array(binary, { minItems: 1, description: 'the files' }) }, ['images']),
    consumes: ['multipart/form-data'],
  },
  findGuestUploads: { headers: Type.Object({ 'Upload-Keys': Type.Optional(Keys) }) },
  getGuestThumbnail: guestRendition('image/webp'),
  getGuestScreen: guestRendition('image/webp'),
  getGuestThumbnailAvif: guestRendition('image/avif'),
  getGuestScreenAvif: guestRendition('image/avif'),
  openDeleteLink: {
    description: 'Changes nothing.',
    response: { 200: html('A page with the picture and a button.'), 404: html('A page that says it is gone.') },
  },
  pressDeleteButton: {
    response: { 200: html('A page that says it is deleted.'), 404: html('A page that says it is gone.') },
  },
  deleteByLink: { response: { 204: noContent('The image is deleted.') } },
};
