import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import type { StoredImage } from '../contract.ts';
import type { Database } from '../database/connect.ts';
import { pictureOrigin } from '../http/link-origin.ts';
import { storedAnswer } from '../images/answer.ts';
import { findOwnImage } from '../images/queries.ts';

/** An image of the account in the form of the upload response; undefined if it was deleted. */
export const showStored =
  (db: Database, config: Pick<Config, 'publicUrl' | 'cdnUrl' | 'stripLocation'>) =>
  async (request: FastifyRequest, id: string): Promise<StoredImage | undefined> => {
    const row = await findOwnImage(db, request.access, id);
    return row && storedAnswer(row, pictureOrigin(request, config), config.stripLocation === 'on');
  };
