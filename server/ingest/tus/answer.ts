import type { FastifyRequest } from 'fastify';
import type { UploadRow } from '../../../drizzle/schema.ts';
import type { GuestImage, ResumableUpload, StoredImage } from '../../contract.ts';

/** The name of a refused file without a name, as in the form API. */
const unnamed = 'image';

/** The image of an upload as in responses; undefined if it was deleted. */
export type ShowImage = (
  request: FastifyRequest,
  upload: UploadRow,
  imageId: string,
) => Promise<StoredImage | GuestImage | undefined>;

const stateOf = ({ imageId, refusal }: UploadRow): ResumableUpload['state'] => {
  if (imageId !== null) return 'stored';
  return refusal === null ? 'receiving' : 'refused';
};

export async function uploadAnswer(
  request: FastifyRequest,
  upload: UploadRow,
  showImage: ShowImage,
): Promise<Omit<ResumableUpload, 'image'> & { image: StoredImage | GuestImage | null }> {
  const { id, filename, size, received, refusal, imageId } = upload;
  return {
    id,
    filename,
    size,
    offset: received,
    expires_at: upload.expiresAt.toISOString(),
    state: stateOf(upload),
    image: (imageId !== null && (await showImage(request, upload, imageId))) || null,
    rejected: refusal && { filename: filename || unnamed, ...refusal },
  };
}
