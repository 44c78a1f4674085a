/** Millions of image rows by SQL, spread over eight years in bursts, with the file names of cameras. */

/** SQL that gives `n` rows to the first account and twice as many to 999 others. It creates rows only, no bytes. */
export const seed = (ownerId: string, n: number) => `
set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '512MB';
select setseed(0.42);

-- Moments. People upload in bursts: one of three is the owner's. Beside them an import of a tenth of the gallery on one
-- day, and uploads of a hundred that share one moment.
create unlogged table bursts as
  select n as burst, case when n % 3 = 0 then 1 else 2 + floor(random() * 999)::int end as who,
    timestamptz '2018-01-01 00:00Z' + (random() * 8 * 365) * interval '1 day' as start,
    (1 + 60 * -ln(1 - random()))::int as size, 0.2 + 15 * random() * random() as gap
  from generate_series(1, (${n} / 20 * 1.2)::int) n;
insert into bursts select 0, 1, '2023-05-14 09:00Z', ${n} / 10, 0.4;
insert into bursts
  select -n, 1, timestamptz '2020-02-02 00:00Z' + n * interval '37 hours', 100, 0 from generate_series(1, ${n} / 2000) n;
create unlogged table chosen as
  select who, at, burst, k, random() as r, random() as a, random() as b from (
    select who, burst, k, at,
      row_number() over (partition by who = 1 order by burst = 0 desc, burst < 0 desc, random()) as rank
    from (select *, date_trunc('milliseconds', start + k * gap * interval '1 second') as at
      from bursts, generate_series(1, size) k) moments
  ) ranked
  where rank <= case when who = 1 then ${n} else 2 * ${n} end;

-- Accounts.
create unlogged table people as
  select n as who, case when n = 1 then '${ownerId}'::uuid else gen_random_uuid() end as id from generate_series(1, 1000) n;
insert into users (id, username, username_key, email, email_key, password_hash)
  select id, 'seeded-' || who, 'seeded-' || who, 'seeded-' || who, 'seeded-' || who, '' from people where who > 1;

-- Rows, in the order of their uploads. The indexes come after: together that is a third of the time.
create unlogged table kept as select indexname as name, indexdef as text from pg_indexes
  where schemaname = current_schema() and tablename = 'images' and indexname not in ('images_pkey', 'images_link_key_unique');
do $$ declare name text; begin for name in select k.name from kept k loop execute format('drop index %I', name); end loop; end $$;
insert into images (id, owner_id, link_key, filename, search_name, extension, content_type, size, sha256, width, height,
  placeholder, renditions_due, uploaded_at)
select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid,
  people.id, left(h, 22), name, lower(name), 'jpg', 'image/jpeg', 500000 + (r * 5500000)::bigint, h || h, 4032, 3024,
  'YNkRJYQImAZwhzeIh3iIeIeIcHiHd4cI', false, at
from (
  select chosen.*, md5(burst || ' ' || k) as h, case
    when r < .35 then 'IMG_' || lpad(((burst * 37 + k) % 10000)::text, 4, '0') || '.JPG'
    when r < .45 then 'DSC' || lpad(((burst * 91 + k) % 100000)::text, 5, '0') || '.jpg'
    when r < .60 then 'PXL_' || to_char(at at time zone 'UTC', 'YYYYMMDD_HH24MISSMS') || '.jpg'
    when r < .70 then 'WhatsApp Image ' || to_char(at at time zone 'UTC', 'YYYY-MM-DD "at" HH24.MI.SS') || '.jpeg'
    when r < .75 then 'Screenshot_' || to_char(at at time zone 'UTC', 'YYYYMMDD-HH24MISS') || '.png'
    when r < .92 then words[1 + (a * 39.99)::int % 40] || '-' || words[1 + (b * b * 39.99)::int % 40] || '-' || k || '.jpg'
    else others[1 + (a * 15.99)::int % 16] || ' ' || others[1 + (b * 15.99)::int % 16] || ' ' || k || '.jpg'
  end as name
  from chosen, (select string_to_array('summer beach holiday mountain birthday wedding garden sunset kitchen invoice receipt '
    'family grandma soccer concert museum berlin paris kairo lisbon autumn winter spring puppy kitten bicycle harbour '
    'bridge lake forest portrait scan draft final logo banner wallpaper panorama drone festival', ' ') as words,
    string_to_array('عطلة الصيف البحر العائلة 夏 海 山 東京 отпуск море семья été forêt größe strasse año', ' ') as others) w
) named join people using (who)
order by at;
do $$ declare text text; begin for text in select k.text from kept k loop execute text; end loop; end $$;
update users set image_count = held.count, image_bytes = held.bytes
  from (select owner_id, count(*) as count, sum(size) as bytes from images group by 1) held where held.owner_id = users.id;
drop table bursts, chosen, people, kept;
vacuum analyze;
`;
