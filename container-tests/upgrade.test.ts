/** A volume that the image of an earlier commit filled: GALLERY_EARLIER_COMMIT, or the first one whose image works. */
import t from 'tap';
import { checkUpgrade, fillAccount, takeSnapshot } from '../trust-tests/testing/earlier-build.ts';
import { newVolume, startGallery } from './testing/gallery.ts';
import { unlessFull } from './testing/podman.ts';

t.test('an upgrade from the image of an earlier commit loses nothing', { skip: unlessFull }, async (t) => {
  const data = await newVolume(t);
  // Renditions that a server makes while it is idle would change the list.
  const environment = { RENDITIONS_AHEAD: 'off' };
  const earlier = await startGallery(t, { data, environment, image: process.env.GALLERY_EARLIER_IMAGE ?? '' });
  const filled = await fillAccount(earlier.origin);
  const before = await takeSnapshot(earlier.origin, filled);
  t.equal(await earlier.stop(), 0);

  const upgraded = await startGallery(t, { data, environment });
  await checkUpgrade(t, upgraded.origin, filled, before);
  t.match(await upgraded.exec('admin', 'doctor'), { code: 0 });
});
