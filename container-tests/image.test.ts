/** The image alone, with the embedded Postgres and the compose file's hardening. */
import t from 'tap';
import { noise } from '../server/testing/pictures.ts';
import { newAccount, store } from '../trust-tests/testing/account.ts';
import { startGallery } from './testing/gallery.ts';

t.test('uploads are stored', async (t) => {
  const gallery = await startGallery(t);
  const account = await newAccount(gallery.origin);
  const [image] = await store(gallery.origin, account, [{ name: 'one.jpg', bytes: await noise(300, 200) }]);
  t.equal(image?.filename, 'one.jpg');
  t.ok(await gallery.isHealthy());
  t.equal(await gallery.stop(), 0);
});
