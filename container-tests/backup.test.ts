/** A backup of one container, restored into a new volume. */
import t from 'tap';
import { logIn, newAccount } from '../trust-tests/testing/account.ts';
import { checkAnswers } from '../trust-tests/testing/holdings.ts';
import { createLedger } from '../trust-tests/testing/ledger.ts';
import { pictures, uploadInto } from '../trust-tests/testing/load/storm.ts';
import { hostFolder, newVolume, startGallery } from './testing/gallery.ts';
import { image, tryPodman } from './testing/podman.ts';

t.test('a backup is restored into a new volume with every byte', async (t) => {
  const mount = ['--volume', `${hostFolder(t)}:/backup`];
  const gallery = await startGallery(t, { more: mount });
  const account = await newAccount(gallery.origin);
  const ledger = createLedger();
  await uploadInto(ledger, gallery.origin, account, await pictures(6));
  const backup = await gallery.exec('admin', 'backup', '/backup/gallery.tar');
  t.equal(backup.code, 0, backup.output + backup.errors);
  t.equal(await gallery.stop(), 0);

  const data = await newVolume(t);
  const restore = ['admin', 'restore', '/backup/gallery.tar'];
  const { code, output, errors } = await tryPodman(
    'run',
    '--rm',
    '--volume',
    `${data}:/data`,
    ...mount,
    image,
    ...restore,
  );
  t.equal(code, 0, output + errors);
  const restored = await startGallery(t, { data });
  await checkAnswers(t, restored.origin, await logIn(restored.origin, account), ledger);
});
