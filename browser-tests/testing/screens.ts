import type { Test } from 'tap';
import { findsNothing } from './checks/axe.ts';
import { wordsFor } from './checks/words.ts';
import { administration } from './screens/administration.ts';
import { albums } from './screens/albums.ts';
import { collecting, guests } from './screens/collect.ts';
import { entry, newPassword } from './screens/entry.ts';
import { deleteLink, expiry } from './screens/expiry.ts';
import { gallery, overlay, selection, shell } from './screens/gallery.ts';
import { links } from './screens/links.ts';
import { settings } from './screens/settings.ts';
import { shares } from './screens/shares.ts';
import { upload } from './screens/upload.ts';
import { video } from './screens/video.ts';
import type { Judge, Visit } from './screens/visit.ts';
import { openStage, type PageOptions, type Stage } from './stage.ts';

const visits: Record<string, Visit> = {
  'login, register and the 404 page': entry,
  'the password reset': newPassword,
  'the upload page': upload,
  'the gallery': gallery,
  'the selection': selection,
  'the overlay and the question before a deletion': overlay,
  'the dashboard shell': shell,
  'the albums': albums,
  'the settings': settings,
  'the page of links': links,
  'the shares': shares,
  'collect links and waiting images': collecting,
  'the page of a collect link': guests,
  'the video page': video,
  'the administration': administration,
  'images that expire': expiry,
  'a delete link': deleteLink,
};

type Tour = (t: Test, stage: Stage, options: PageOptions, judge?: Judge) => Promise<void>;

/** Every screen in all its states, checked by axe-core or by another judge; on the stage of openScreens(). */
export const screens: [name: string, visit: Tour][] = Object.entries(visits).map(([name, visit]) => [
  name,
  (t, stage, options, judge = findsNothing) =>
    visit({ t, stage, options, say: wordsFor(options), judge: (page, state) => judge(t, page, state) }),
]);

/** Two images per page, so that three images have a pager; and a quota. */
export const openScreens = (t: Test): Promise<Stage> => openStage(t, { pageSize: 2, quota: 1_000_000 });
