/** The migration that makes links redact digests which an earlier version served. */
import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import t from 'tap';
import { images } from '../../drizzle/schema.ts';
import { parseDatabaseUrl } from '../database/address.ts';
import { openClient } from '../database/client.ts';
import { knownMigrations, migrateWithin } from '../database/migrations/migrate-to.ts';
import { withSegments } from '../decoder/testing/containers.ts';
import { exifSegment, xmpSegment } from '../decoder/testing/jpeg-notes.ts';
import { xmp } from '../decoder/testing/notes.ts';
import { jpeg } from '../decoder/testing/plain-files.ts';
import { signIn } from '../testing/account.ts';
import { buildTestApp, testConfig } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { storeFiles } from '../testing/form.ts';

t.test('a link that served a digest of its location redacts it after the upgrade', async (t) => {
  const exif = exifSegment();
  const digest = createHash('md5').update(exif).digest('hex').toUpperCase();
  const placed = withSegments(jpeg, [xmpSegment(xmp(`exif:NativeDigest="36864;${digest}"`)), exif]);
  const config = await testConfig(t);
  const app = await buildTestApp(t, config);
  const [image, plain] = await storeFiles(app, await signIn(app), [
    { name: 'placed.jpg', bytes: placed },
    { name: 'plain.jpg', bytes: jpeg },
  ]);
  const { db } = app;
  const rowOf = async (id = '') => (await db.select().from(images).where(eq(images.id, id)))[0];
  const served = async () => (await app.inject(new URL(image?.url ?? '').pathname)).rawPayload;
  const now = await rowOf(image?.id);
  t.equal(now?.traces, 'removable');

  // The earlier version did not redact the packet.
  const redacted = now?.redaction?.filter(({ at }) => at > placed.indexOf(digest) + digest.length);
  t.ok(redacted?.length);
  await db.execute(sql`update images set redaction = ${JSON.stringify(redacted)}::jsonb where id = ${image?.id}`);
  await eventually('the changed redaction reaches the server', async () => (await served()).includes(digest));

  const levels = knownMigrations();
  const at = levels.findIndex(({ statements }) => statements.some((text) => text.includes('"traces" = NULL')));
  const client = openClient(parseDatabaseUrl(config.databaseUrl ?? ''), { max: 1 });
  t.teardown(() => client.end({ timeout: 5 }));
  await client.begin((tx) => migrateWithin(tx, levels[at - 1]?.level ?? 0, levels[at]?.level ?? 0));
  t.match(await rowOf(image?.id), { traces: null, redaction: null });
  t.match(await rowOf(plain?.id), { traces: 'none' }, 'other images are not inspected again');

  await eventually('the packet is redacted', async () => !(await served()).includes(digest));
  t.equal((await served()).length, placed.length);
  t.match(await rowOf(image?.id), { traces: 'removable', redaction: now?.redaction });
});
