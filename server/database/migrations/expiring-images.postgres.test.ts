import t from 'tap';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, testConfig } from '../../testing/app.ts';
import { storeFiles } from '../../testing/form.ts';
import { noise, picture } from '../../testing/pictures.ts';
import { beforeExpiringImages } from '../../testing/postgres/before-expiring-images.ts';
import { keptRows } from '../../testing/postgres/kept-rows.ts';
import { askOutcome, opened, sendPart } from '../../testing/tus.ts';

const tables = ['users', 'sessions', 'images', 'albums', 'uploads', 'api_tokens', 'installation'];

t.test(
  'a database from before expiring images keeps all rows, and its images and open uploads never expire',
  async (t) => {
    const config = await testConfig(t);
    const url = config.databaseUrl ?? '';
    const before = await buildTestApp(t, config);
    const account = await signIn(before);
    const [image] = await storeFiles(before, account, [{ name: 'a.png', bytes: await picture() }]);
    const bytes = await noise(40, 30, 'png');
    const upload = await opened(before, account, bytes.length);
    await sendPart(before, account, upload, 0, bytes.subarray(0, 400));
    await before.close();

    await beforeExpiringImages(url);
    const kept = await keptRows(url, tables);
    const after = await buildTestApp(t, config);
    t.same(await keptRows(url, tables), kept);

    const { headers } = await after.inject(new URL(image?.url ?? '').pathname);
    t.match(headers['cache-control'], /immutable/);
    await sendPart(after, account, upload, 400, bytes.subarray(400));
    t.match((await askOutcome(after, account, upload)).json(), { state: 'stored', image: { expires_at: null } });
  },
);
