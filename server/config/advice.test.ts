import t from 'tap';
import { quotaAdvice } from './advice.ts';
import { readConfig } from './read-config.ts';

t.test('open registration without a quota is reported with a suggested value', async (t) => {
  const advice = quotaAdvice(readConfig({})) ?? '';
  t.notMatch(advice, '\n');
  const [, value = ''] = /QUOTA=(\S+),/.exec(advice) ?? [];
  t.equal(readConfig({ QUOTA: value }).quota, 10e9);
});

t.test('a quota or closed registration gives no advice', async (t) => {
  t.equal(quotaAdvice(readConfig({ QUOTA: '5GB' })), undefined);
  t.equal(quotaAdvice(readConfig({ REGISTRATION: 'closed' })), undefined);
});
