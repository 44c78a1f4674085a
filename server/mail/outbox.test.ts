import t from 'tap';
import { eventually } from '../testing/eventually.ts';
import { createOutbox } from './outbox.ts';

const mail = { subject: '', text: '', html: '' };
const log = { info: () => undefined, error: () => undefined };

/** Three mails to a server that confirms none until released; two are being sent. */
async function begin(closeTimeout: number) {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sent: string[] = [];
  const send = (address: string) => {
    sent.push(address);
    return released;
  };
  const outbox = createOutbox({ mailer: { send }, origin: 'https://img.example.com', log, closeTimeout });
  for (const to of ['one', 'two', 'three']) outbox.send('a mail', async () => ({ to, mail }));
  await eventually('two mails are on their way', () => sent.length === 2);
  return { outbox, sent, release };
}

t.test('a stop waits only briefly for a silent mail server, and drops the queued mails', async (t) => {
  // Keeps the process running; the outbox's own timer does not.
  const running = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(running));
  const { outbox, sent, release } = await begin(1);
  await outbox.close();
  release();
  await new Promise(setImmediate);
  t.same(sent, ['one', 'two'], 'the third is not sent');
});

t.test('a stop waits for the mails that the mail server accepts', async (t) => {
  const { outbox, sent, release } = await begin(3_600_000);
  const closed = outbox.close();
  release();
  await closed;
  t.same(sent, ['one', 'two', 'three']);
});

t.test('one client without a login fills a quarter of the queue, and others may request mails', async (t) => {
  const { outbox, release } = await begin(1);
  for (let at = 0; at < 25; at += 1) outbox.send('a mail', async () => undefined, '192.0.2.1');
  t.same([outbox.isFull('192.0.2.1'), outbox.isFull('192.0.2.7'), outbox.isFull()], [true, false, false]);
  release();
  await eventually('its mails are sent', () => !outbox.isFull('192.0.2.1'));
});
