import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Config } from '../config/config.ts';
import { RotatedLinks } from '../contract.ts';
import { perAccount } from '../http/limits/rate-limit.ts';
import { pictureOrigin } from '../http/link-origin.ts';
import { withScope } from '../http/scopes.ts';
import { imageAnswer } from '../images/answer.ts';
import { eachOnce, ImageId } from '../images/image-ids.ts';
import { MAX_ROTATED } from '../images/rotation/rotation.ts';

const minute = 60_000;
/** Of at most 100 images each: as many images as may be deleted in a minute. */
const callsAMinute = 60;

const Ids = Type.Object({ ids: Type.Array(ImageId, { minItems: 1, maxItems: MAX_ROTATED }) });

export const rotateRoute: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  const strip = config.stripLocation === 'on';
  const rotating = {
    onRequest: app.guard,
    config: { ...perAccount('rotation', callsAMinute, minute), ...withScope('images:write') },
    schema: {
      operationId: 'rotateLinks',
      summary: 'Give images new links and end the former ones',
      body: Ids,
      response: { 200: RotatedLinks },
    },
  };
  app.post('/rotate', rotating, async (request) => {
    const ids = eachOnce(request.body.ids);
    const rows = await request.runFairly(() => app.images.rotateLinks(request.access, ids));
    const origin = pictureOrigin(request, config);
    const found = new Map(rows.map((row) => [row.id, imageAnswer(row, origin, strip)]));
    return { images: ids.flatMap((id) => found.get(id) ?? []), unknown: ids.filter((id) => !found.has(id)) };
  });
};
