/** Resumable uploads: the tus protocol with the extensions creation, expiration and termination. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, type TString, Type } from 'typebox';
import type { UploadRow } from '../../../drizzle/schema.ts';
import { ResumableUpload } from '../../contract.ts';
import {
  BrokenUpload,
  DecoderUnavailable,
  EmptyFile,
  FileTooLarge,
  NoSpace,
  NotAPart,
  NotFound,
  OffsetMismatch,
  PartTooLong,
  QuotaExceeded,
  StorageUnavailable,
  TooManyParts,
  TooManyUploads,
  UnknownProtocolVersion,
  UploadLocked,
} from '../../errors.ts';
import { drainRequest } from '../../http/drain-request.ts';
import { perAccount } from '../../http/limits/rate-limit.ts';
import { type Refusal, refuses } from '../../http/openapi/refusals.ts';
import { withoutLogin, withScope } from '../../http/scopes.ts';
import { clientOf } from '../admission.ts';
import { type ShowImage, uploadAnswer } from './answer.ts';
import { isDecided, isWhole } from './finishing.ts';
import { metadataOf, readCount, readMetadata, version } from './metadata.ts';
import type { Uploads } from './uploads.ts';

const minute = 60_000;
/** As many as uploads by form (ingest/routes.ts); parts may be as small as 256 KiB. */
const openingsAMinute = 3000;
const partsAMinute = 6000;

const partType = 'application/offset+octet-stream';

/** Who calls these routes: accounts, or the guests of collect links (server/collect/). */
export type Callers = {
  /** Sets `request.access`. */
  guard: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  scopes: Pick<FastifyContextConfig, 'scopes'>;
  limit: typeof perAccount;
  refusals: readonly Refusal[];
  /** Its names in the OpenAPI document differ for each kind of callers. */
  operationId: (name: string) => string;
  /** In the address of the routes. */
  params: Record<string, TString>;
  pathOf: (request: FastifyRequest) => string;
  Answer: TSchema;
};

export const accounts = (app: FastifyInstance, path: string): Callers => ({
  guard: app.guard,
  scopes: withScope('images:upload'),
  limit: perAccount,
  refusals: [],
  operationId: (name) => name,
  params: {},
  pathOf: () => path,
  Answer: ResumableUpload,
});

const paramsOf = ({ params }: Callers) => Type.Object({ ...params, id: Type.String() });
/** Of a call that names an upload. */
const ofOne = refuses(UnknownProtocolVersion, NotFound);

const ofParts = [NotAPart, OffsetMismatch, PartTooLong, TooManyParts, UploadLocked, BrokenUpload];
const ofStorage = [StorageUnavailable, NoSpace];
/** Of a call that may store the complete file. */
const ofStoring = [DecoderUnavailable, ...ofStorage];

type Options = {
  uploads: Uploads;
  /** Admits one more concurrent upload before its body is read. */
  admit: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  showImage: ShowImage;
  callers: Callers;
};

function setProgress(reply: FastifyReply, upload: UploadRow): FastifyReply {
  reply.header('upload-offset', upload.received);
  if (!isDecided(upload)) reply.header('upload-expires', upload.expiresAt.toUTCString());
  return reply;
}

const speaksTus = async ({ headers }: FastifyRequest) => {
  if (headers['tus-resumable'] !== version) throw new UnknownProtocolVersion();
};

/** RFC 7240: with this preference the response to the last part contains the outcome. */
const wantsOutcome = ({ headers }: FastifyRequest) =>
  /(?:^|[,;\s])return=representation(?:$|[,;\s])/.test(String(headers.prefer ?? ''));

export const uploadRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { uploads, admit, showImage, callers }) => {
  // Without the prefix, which holds once.
  const options = { uploads, admit, showImage, callers };
  // The handlers read the bodies as streams.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  app.addHook('onSend', async (_request, reply) => {
    // The protocol requires the supported versions also with a 412.
    reply.headers({ 'tus-resumable': version, 'tus-version': version });
  });

  await app.register(creationRoutes, options); // OPTIONS and POST /
  await app.register(progressRoutes, options); // HEAD and GET /:id
  await app.register(partRoute, options); // PATCH /:id
  await app.register(terminationRoute, options); // DELETE /:id
};

const creationRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { uploads, callers }) => {
  const { guard, limit, operationId, params } = callers;
  // Answers OPTIONS of tus clients as well as CORS preflights.
  const discovery = {
    config: { ...withoutLogin, cors: { strictPreflight: false, preflightContinue: true } },
    schema: {
      operationId: operationId('getUploadOptions'),
      summary: 'Discover the tus extensions and the largest size',
      params: Type.Object(params),
    },
  };
  app.options('/', discovery, (_request, reply) =>
    reply
      .code(204)
      .headers({
        'tus-extension': 'creation,expiration,termination',
        'tus-max-size': String(uploads.maxFileSize),
      })
      .send(),
  );

  const creating = {
    onRequest: [guard, speaksTus],
    config: {
      ...limit('opening', openingsAMinute, minute),
      ...callers.scopes,
      ...refuses(
        UnknownProtocolVersion,
        NotFound,
        FileTooLarge,
        EmptyFile,
        QuotaExceeded,
        TooManyUploads,
        ...ofStorage,
        ...callers.refusals,
      ),
    },
    schema: {
      operationId: operationId('createUpload'),
      summary: 'Open a resumable upload',
      params: Type.Object(params),
    },
  };
  app.post('/', creating, async (request, reply) => {
    const { headers } = request;
    await drainRequest(request.raw);
    const size = readCount('Upload-Length', headers['upload-length']);
    const metadata = readMetadata(headers['upload-metadata']);
    const upload = await uploads.open(request.access, metadata, size);
    return setProgress(reply, upload)
      .code(201)
      .header('location', `${callers.pathOf(request)}/${upload.id}`)
      .send();
  });
};

const progressRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { uploads, showImage, callers }) => {
  const { guard, scopes, operationId, refusals } = callers;
  const measuring = {
    onRequest: [guard, speaksTus],
    config: { ...scopes, ...refuses(...ofOne.refusals, ...refusals) },
    schema: {
      operationId: operationId('getUploadOffset'),
      summary: 'Read how many bytes have arrived',
      params: paramsOf(callers),
    },
  };
  app.head('/:id', measuring, async (request, reply) => {
    const upload = await uploads.progress(request.access, request.params.id);
    return setProgress(reply, upload)
      .headers({ 'upload-length': upload.size, 'upload-metadata': metadataOf(upload, request.access) })
      .send();
  });

  const reading = {
    onRequest: guard,
    config: { ...scopes, ...refuses(NotFound, ...ofStoring, ...refusals) },
    schema: {
      operationId: operationId('getUpload'),
      summary: 'Read a resumable upload and its result',
      params: paramsOf(callers),
      response: { 200: callers.Answer },
    },
  };
  app.get('/:id', reading, async (request) =>
    uploadAnswer(request, await uploads.outcome(request.access, request.params.id, clientOf(request)), showImage),
  );
};

const partRoute: FastifyPluginAsyncTypebox<Options> = async (app, { uploads, admit, showImage, callers }) => {
  const { guard, limit, scopes, operationId, refusals } = callers;
  const continuing = {
    onRequest: [guard, speaksTus, admit],
    config: {
      ...limit('part', partsAMinute, minute),
      ...scopes,
      ...refuses(...ofOne.refusals, ...ofParts, ...ofStoring, ...refusals),
    },
    schema: {
      operationId: operationId('appendToUpload'),
      summary: 'Send the next part of a resumable upload',
      params: paramsOf(callers),
      response: { 200: callers.Answer, 204: Type.Null() },
    },
  };
  app.patch('/:id', continuing, async (request, reply) => {
    const { headers, raw } = request;
    request.endTurn();
    try {
      if (headers['content-type'] !== partType) throw new NotAPart();
      const offset = readCount('Upload-Offset', headers['upload-offset']);
      const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
      const part = { offset, length, body: raw };
      const upload = await uploads.append(request.access, request.params.id, part, clientOf(request));
      setProgress(reply, upload);
      if (!isWhole(upload) || !wantsOutcome(request)) return reply.code(204).send(null);
      const answer = await uploadAnswer(request, upload, showImage);
      return reply.header('preference-applied', 'return=representation').send(answer);
    } catch (error) {
      await drainRequest(raw);
      throw error;
    }
  });
};

const terminationRoute: FastifyPluginAsyncTypebox<Options> = async (app, { uploads, callers }) => {
  const { guard, limit, scopes, operationId, refusals } = callers;
  const terminating = {
    onRequest: [guard, speaksTus],
    config: {
      ...limit('cancelling', openingsAMinute, minute),
      ...scopes,
      ...refuses(...ofOne.refusals, StorageUnavailable, ...refusals),
    },
    schema: {
      operationId: operationId('cancelUpload'),
      summary: 'Cancel a resumable upload',
      params: paramsOf(callers),
    },
  };
  app.delete('/:id', terminating, async (request, reply) => {
    await drainRequest(request.raw);
    await uploads.cancel(request.access, request.params.id);
    return reply.code(204).send();
  });
};
