import t, { type Test } from 'tap';
import { createFairShare } from './fair-share.ts';

/** Calls that run until the test ends them, with a fake clock. */
function sharing(slots: number) {
  let time = 0;
  const runFairly = createFairShare({
    shared: { given: 'shared', slots: slots - 1 },
    reserved: { given: 'reserved', slots: 1 },
    now: () => time,
  });
  const running: { account: string; end: () => void }[] = [];
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    running: () => running.map(({ account }) => account),
    async call(account: string, times = 1, isGone = () => false) {
      const calls = Array.from({ length: times }, () =>
        runFairly(account, () => new Promise<void>((end) => running.push({ account, end })), { isGone }).then(
          () => 'ended',
          (error) => error,
        ),
      );
      await settled();
      return calls;
    },
    see: runFairly.see,
    pass(ms: number) {
      time += ms;
    },
    /** Ends the account's longest running call. */
    async end(account: string) {
      const index = running.findIndex((each) => each.account === account);
      running.splice(index, 1)[0]?.end();
      await settled();
    },
  };
}

/** An account with a spent budget and one running call, while another account is active. */
async function spent(slots: number) {
  const share = sharing(slots);
  share.see('other');
  await share.call('busy', slots - 1);
  share.pass(2900);
  share.see('other');
  while (share.running().length > 0) await share.end('busy');
  await share.call('busy');
  return share;
}

t.test('an account never uses all connections', async (t) => {
  const share = sharing(4);
  share.see('other');
  await share.call('busy', 10);
  t.same(share.running(), ['busy', 'busy', 'busy']);
  await share.call('other');
  t.same(share.running(), ['busy', 'busy', 'busy', 'other']);
  await share.end('busy');
  t.same(share.running(), ['busy', 'busy', 'other', 'busy'], 'the next call begins when one ends');
});

t.test('an account that has spent its budget runs one call at a time', async (t) => {
  const share = await spent(4);
  await share.call('busy', 2);
  t.same(share.running(), ['busy']);
  await share.call('other', 3);
  t.same(share.running(), ['busy', 'other', 'other']);
});

t.test('an account that is alone keeps all its connections when its budget is spent', async (t) => {
  const share = await spent(4);
  await share.call('busy');
  t.same(share.running(), ['busy']);
  share.pass(2500);
  await share.call('busy');
  t.same(share.running(), ['busy', 'busy', 'busy']);
  share.see('other');
  await share.end('busy');
  await share.end('busy');
  t.same(share.running(), ['busy'], 'until another account is active');
});

t.test('an account that is alone leaves the reserved connection free', async (t) => {
  const share = sharing(4);
  await share.call('new', 100);
  t.equal(share.running().length, 3);
});

t.test('a budget recovers after a pause', async (t) => {
  const share = await spent(4);
  await share.end('busy');
  share.pass(60_000);
  share.see('other');
  await share.call('busy', 5);
  t.same(share.running(), ['busy', 'busy', 'busy']);
});

t.test('calls one after another never spend the budget, however long each takes', async (t) => {
  const share = sharing(4);
  for (let number = 0; number < 50; number += 1) {
    await share.call('steady');
    share.pass(900);
    share.see('other');
    await share.end('steady');
  }
  await share.call('steady', 3);
  t.same(share.running(), ['steady', 'steady', 'steady']);
});

t.test('short calls never spend the budget, however many there are', async (t) => {
  const share = sharing(4);
  for (let number = 0; number < 5000; number += 1) {
    await share.call('quick', 3);
    share.pass(9);
    share.see('other');
    while (share.running().length > 0) await share.end('quick');
  }
  await share.call('quick', 3);
  t.same(share.running(), ['quick', 'quick', 'quick']);
});

t.test('the waiting account that has used the least time runs first', async (t) => {
  const share = await spent(3);
  await share.call('third');
  await share.call('fourth');
  await share.call('busy');
  await share.call('new');
  t.same(share.running(), ['busy', 'third', 'fourth']);
  await share.end('busy');
  t.same(share.running(), ['third', 'fourth', 'new']);
});

t.test('calls that would wait too long answer 429 with a retry time', async (t) => {
  const share = sharing(4);
  share.see('other');
  await share.call('busy', 3);
  share.pass(1000);
  const more = await share.call('busy', 30);
  const refused = (await Promise.all(more.slice(9))).filter((each) => each !== 'ended');
  t.equal(refused.length, 21);
  for (const error of refused) t.match(error, { statusCode: 429, code: 'TOO_MANY_REQUESTS', retryAfter: Number });
});

t.test('a call that has waited too long answers 429 when its turn comes', async (t: Test) => {
  const share = sharing(2);
  share.see('other');
  await share.call('busy');
  const [waiting] = await share.call('busy');
  share.pass(5000);
  share.see('other');
  await share.end('busy');
  t.match(await waiting, { statusCode: 429 });
  t.same(share.running(), []);
});

t.test('a waiting call whose client disconnects is dropped and does not delay the calls behind it', async (t) => {
  const share = sharing(4);
  share.see('other');
  let isGone = false;
  await share.call('busy', 3);
  share.pass(1000);
  const left = await share.call('busy', 9, () => isGone);
  isGone = true;
  const [last] = await share.call('busy');
  await share.end('busy');
  for (const call of left) t.match(await call, { code: 'CLIENT_GONE' });
  t.same(share.running(), ['busy', 'busy', 'busy'], 'the call behind them runs');
  while (share.running().length > 0) await share.end('busy');
  t.equal(await last, 'ended');
});

t.test('a link with a small budget waits while an account begins', async (t) => {
  let time = 0;
  const group = { given: undefined, slots: 3 };
  const runFairly = createFairShare({ shared: group, reserved: { ...group, slots: 1 }, now: () => time });
  const running: string[] = [];
  const ends: (() => void)[] = [];
  const begin = async (key: string, times: number, budget?: number) => {
    for (let at = 0; at < times; at += 1) {
      void runFairly(key, () => new Promise<void>((end) => ends.push(end)).finally(() => running.shift()), { budget });
      running.push(key);
    }
    await new Promise(setImmediate);
  };
  runFairly.see('owner');
  await begin('link', 9, 300);
  t.equal(ends.length, 3, 'the link uses what is free');
  time += 400;
  runFairly.see('owner');
  for (const end of ends.splice(0)) end();
  await new Promise(setImmediate);
  t.equal(ends.length, 1, 'its budget is spent');
  await begin('owner', 2);
  t.equal(ends.length, 3, 'an account still has its own');
});

t.test('a call that fails frees its slot', async (t) => {
  const runFairly = createFairShare({ shared: { given: 1, slots: 1 }, reserved: { given: 2, slots: 1 } });
  await t.rejects(
    runFairly('one', async () => {
      throw new Error('broken');
    }),
    { message: 'broken' },
  );
  t.equal(await runFairly('one', async (group) => group), 1);
});
