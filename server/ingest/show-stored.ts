import type { FastifyRequest } from 'fastify';
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Config } from '../config/config.ts';
import type { StoredImage } from '../contract.ts';
import { linkOrigin, pictureOrigin } from '../http/link-origin.ts';
import { storedAnswer } from '../images/answer.ts';
import { type DeleteKeys, deletePath } from '../images/links/delete-keys.ts';
import type { UploadTarget } from './upload-options.ts';

type Shown = Pick<Config, 'publicUrl' | 'cdnUrl' | 'stripLocation'>;

export type ShowStored = (
  request: FastifyRequest,
  row: ImageRow,
  target: Pick<UploadTarget, 'deleteLink'>,
) => StoredImage;

/** An image in the response to its upload. */
export const showStored =
  (config: Shown, { presentKeyOf }: DeleteKeys): ShowStored =>
  (request, row, { deleteLink }) => {
    const key = deleteLink ? presentKeyOf(row) : undefined;
    return {
      ...storedAnswer(row, pictureOrigin(request, config), config.stripLocation === 'on'),
      ...(key === undefined ? {} : { delete_url: linkOrigin(request, config.publicUrl) + deletePath(key) }),
    };
  };
