import t from 'tap';
import { namedZone } from './time-zone.ts';

t.test('a search sends the name of a time zone, and nothing for a zone without one', async (t) => {
  for (const name of ['Europe/Berlin', 'UTC', 'Etc/GMT+5', 'America/Argentina/Ushuaia'])
    t.same(namedZone(name), { time_zone: name });
  for (const none of ['Etc/Unknown', '+05:30', '-03:00', '', undefined]) t.same(namedZone(none), {}, String(none));
});
