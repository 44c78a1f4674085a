import t, { type Test } from 'tap';
import { eventually } from '../testing/eventually.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { createCabledDatabase } from '../testing/postgres/database-cable.ts';
import { query } from '../testing/postgres/embedded.ts';
import { parseDatabaseUrl } from './address.ts';
import { connect } from './connect.ts';
import { subscribeTo } from './notifications.ts';

t.setTimeout(120_000);

const log = { info: () => {}, error: () => {} };
const channel = 'gallery_links';

/** @param heartbeatUrl the database that heartbeats are sent through */
function subscribe(t: Test, url: string, heartbeatUrl = url) {
  const { sql, close } = connect(heartbeatUrl, { max: 2 });
  const received: string[] = [];
  const gaps: boolean[] = [];
  const notices = subscribeTo(parseDatabaseUrl(url), {
    channel,
    sql,
    log,
    onNotification: (payload) => received.push(payload),
    onGap: () => gaps.push(true),
  });
  t.teardown(async () => {
    await notices.close();
    await close();
  });
  return { notices, received, gaps };
}

const notify = (url: string, payload: string) => query(url, `select pg_notify('${channel}', '${payload}')`);

t.test('a notification is received, and the subscription is live', async (t) => {
  const { url } = await createTestDatabase(t);
  const { notices, received } = subscribe(t, url);
  await eventually('the subscription is live', () => notices.isLive());
  await notify(url, 'something');
  await eventually('the notification arrives', () => received.length > 0);
  t.same(received, ['something']);
});

t.test('a subscription is not live while its connection is lost', async (t) => {
  const database = await createCabledDatabase(t);
  const { notices, received, gaps } = subscribe(t, database.url);
  await eventually('the subscription is live', () => notices.isLive());
  gaps.length = 0;
  await database.pull();
  await eventually('the gap is reported', () => gaps.length > 0);
  t.equal(notices.isLive(), false);
  await notify(database.direct, 'unheard');
  gaps.length = 0;
  await database.plugIn();
  await eventually('the subscription is live again', () => notices.isLive());
  t.ok(gaps.length > 0, 'subscribers are warned that they may have missed changes');
  await notify(database.direct, 'again');
  await eventually('the notification arrives', () => received.length > 0);
  t.same(received, ['again']);
});

t.test('a subscription whose heartbeats do not return, as behind some poolers, is never live', async (t) => {
  const [here, elsewhere] = [await createTestDatabase(t), await createTestDatabase(t)];
  const { notices, received, gaps } = subscribe(t, here.url, elsewhere.url);
  await eventually('the gap is reported', () => gaps.length > 0);
  await eventually('the notification arrives', async () => {
    await notify(here.url, 'something');
    return received.length > 0;
  });
  t.equal(notices.isLive(), false);
});

t.test('deleting, changing and truncating images notifies with their links, many at once', async (t) => {
  const { url } = await createTestDatabase(t);
  const { notices, received } = subscribe(t, url);
  await eventually('the subscription is live', () => notices.isLive());
  const key = (index: number) => String(index).padStart(22, 'k');
  await query(
    url,
    `with owner as (insert into users (id, username, username_key, email, email_key, password_hash)
       values (gen_random_uuid(), 'a', 'a', 'a', 'a', 'a') returning id)
     insert into images (id, owner_id, link_key, filename, search_name, extension, content_type, size, sha256, width, height, placeholder)
     select gen_random_uuid(), owner.id, lpad(number::text, 22, 'k'), 'a', 'a', 'png', 'image/png', 1, 'a', 1, 1, 'a'
     from owner, generate_series(1, 300) as number`,
  );
  const toldBy = async (statement: string) => {
    received.length = 0;
    await query(url, statement);
    await eventually('the change is notified', () => received.length > 0);
    return received.join('|').split(' ').sort();
  };
  t.same(await toldBy(`delete from images where link_key = '${key(1)}'`), [key(1)]);
  t.same(await toldBy(`update images set filename = 'b' where link_key = '${key(2)}'`), [key(2)]);
  t.same(await toldBy(`update images set link_key = 'other' where link_key = '${key(3)}'`), [key(3)], 'the old link');
  const some = Array.from({ length: 100 }, (_, index) => key(index + 10));
  t.same(await toldBy(`delete from images where link_key in ('${some.join("','")}')`), some.sort());
  t.same(await toldBy('delete from users'), ['*'], 'deleting an account covers its images');
  t.same(await toldBy('truncate images cascade'), ['*']);
});
