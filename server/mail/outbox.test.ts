import t from 'tap';
import { eventually } from '../testing/eventually.ts';
import { createOutbox } from './outbox.ts';

const mail = { subject: '', text: '', html: '' };
const log = { info: () => undefined, error: () => undefined };

/** Three mails for a mail server that confirms none before it is released, two of them on their way. */
async function begin(patience: number) {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sent: string[] = [];
  const send = (address: string) => {
    sent.push(address);
    return released;
  };
  const outbox = createOutbox({ mailer: { send }, origin: 'https://img.example.com', log, patience });
  for (const to of ['one', 'two', 'three']) outbox.send('a mail', async () => ({ to, mail }));
  await eventually('two mails are on their way', () => sent.length === 2);
  return { outbox, sent, release };
}

t.test('a stop waits a bounded time for a silent mail server, and sends no mail of the queue after it', async (t) => {
  // The timer of the bound does not keep the process running.
  const running = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(running));
  const { outbox, sent, release } = await begin(1);
  await outbox.close();
  release();
  await new Promise(setImmediate);
  t.same(sent, ['one', 'two'], 'the third is not sent');
});

t.test('a stop waits for the mails that the mail server takes', async (t) => {
  const { outbox, sent, release } = await begin(3_600_000);
  const closed = outbox.close();
  release();
  await closed;
  t.same(sent, ['one', 'two', 'three']);
});
