/** What the calls of other products share: they accept only API tokens, and store all files of a request or none. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorAnswer, StoredImage } from '../../contract.ts';
import { InvalidRequest, Unauthorized } from '../../errors.ts';
import { answerError } from '../../http/errors/error-handler.ts';
import type { DeleteKeys } from '../../images/links/delete-keys.ts';
import type { FormUploads } from '../form-uploads.ts';
import type { Keeping } from '../ingest.ts';
import type { ShowStored } from '../show-stored.ts';
import type { Form } from '../upload.ts';
import { refusedOf } from '../upload-answer.ts';
import { keepingOf } from '../upload-options.ts';
import { shorterLifetime } from './times.ts';

export type CompatibleOptions = { formUploads: FormUploads; deleteKeys: DeleteKeys; show: ShowStored };

type Requested = {
  albumId: string | null;
  /** Milliseconds; undefined for ever. */
  lifetime: number | undefined;
  deleteLink: boolean;
  title?: string | undefined;
  description?: string | undefined;
};

/** A session is no token. @throws Unauthorized */
export function assertToken({ access }: FastifyRequest): void {
  if (access.tokenId === null) throw new Unauthorized();
}

/** How the images are kept: all or none, because these APIs answer either links for all files or an error. */
export function keepAllOrNone({ access }: FastifyRequest, deleteKeys: DeleteKeys, requested: Requested): Keeping {
  const { albumId, lifetime, deleteLink, title, description } = requested;
  const target = { ownerId: access.ownerId, albumId, expiresIn: null, deleteLink, guestId: null };
  return {
    ...keepingOf(target, deleteKeys),
    lifetime: shorterLifetime(lifetime, access.imagesExpireIn),
    title,
    description,
    allOrNone: true,
  };
}

type Call = { request: FastifyRequest; reply: FastifyReply; form: Form; deleteLink: boolean };

/** @returns the images in the order sent @throws the first refusal; nothing is stored then */
export async function storeAllOrNone(
  { formUploads, show }: CompatibleOptions,
  { request, reply, form, deleteLink }: Call,
): Promise<StoredImage[]> {
  const results = await formUploads.receive(request, reply, form);
  const [refused] = refusedOf(results);
  if (refused) {
    const { filename, error } = refused;
    throw form.maxFiles === 1 ? error : Object.assign(error, { message: `${filename}: ${error.message}` });
  }
  return results.flatMap((result) => ('row' in result ? [show(request, result.row, { deleteLink })] : []));
}

export const sendText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.code(200).type('text/plain; charset=utf-8').send(text);

type Shape = (answer: ErrorAnswer, request: FastifyRequest) => object | string;

/** @param header in which programs for this API send their token */
const withTokenHint = (answer: ErrorAnswer, header: string): ErrorAnswer =>
  answer.code === 'UNAUTHORIZED'
    ? { ...answer, message: `The API token is missing, unknown, ended or expired. Send it in the header ${header}.` }
    : answer;

/** Answers errors in the form that programs for this API expect. */
export function shapeErrors(app: FastifyInstance, { header, hint }: { header: string; hint: string }, shape: Shape) {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const isForm = error.code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
    answerError(isForm ? error : new InvalidRequest(hint), request, reply, (answer) =>
      shape(withTokenHint(answer, header), request),
    );
  });
}
