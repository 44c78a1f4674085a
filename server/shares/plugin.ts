/** Shares: links to a selection of images or to an album, whose reach their owner controls. */
import fp from 'fastify-plugin';
import { createViewCounter } from '../albums/view-counter.ts';
import type { Config } from '../config/config.ts';
import { deleteHeldNames } from '../database/statements/held-names.ts';
import { readAssets } from '../http/page/assets.ts';
import { createAdmission } from './admission.ts';
import { createShareCookies } from './cookie.ts';
import { sharePages } from './page-routes.ts';
import { createPictureCodes } from './picture-codes.ts';
import { sharePictures } from './picture-routes.ts';
import { addViews, deleteOldShares } from './queries.ts';
import { shareRoutes } from './routes.ts';
import { shareZip } from './zip-route.ts';

type Options = {
  config: Config;
  /** Shared by all servers of this gallery. */
  secret: string;
  clientFolder: string;
};

export const shares = fp<Options>(
  async (app, { config, secret, clientFolder }) => {
    const { db, log } = app;
    const assets = readAssets(clientFolder);
    const cookies = createShareCookies(secret, config.publicUrl);
    const admission = createAdmission(db, cookies);
    const codesOf = createPictureCodes(secret);
    const views = createViewCounter({
      add: (id, number) => addViews(db, id, number),
      onError: (err) => log.warn({ err }, 'views of a share are not counted'),
    });
    app.shutdown.onStop(views.stop);
    app.shutdown.onClose('views of shares', views.flush);
    app.sweeps.add('ended shares', () => deleteOldShares(db));
    app.sweeps.add('names of links that are gone', () => deleteHeldNames(db));
    await app.register(shareRoutes, { prefix: '/api/shares', config, views });
    await app.register(sharePages, { config, assets, admission, cookies, codesOf, views });
    await app.register(sharePictures, { assets, admission, codesOf });
    await app.register(shareZip, { assets, admission });
  },
  { name: 'shares', dependencies: ['guard', 'fair-share', 'delivery', 'background', 'albums'] },
);
