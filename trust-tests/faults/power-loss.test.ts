/** Checks the order of system calls, which decides what a power cut leaves; a test cannot cut the power. */
import tap from 'tap';
import { newAccount } from '../testing/account.ts';
import { createHome } from '../testing/home.ts';
import { createLedger } from '../testing/ledger.ts';
import { deleteFrom, pictures, uploadInto } from '../testing/load/storm.ts';
import { trace } from '../testing/machine/strace.ts';
import { withoutStrace } from '../testing/machine/tools.ts';
import { measured } from '../testing/measured.ts';
import { rounds } from '../testing/rounds.ts';

type Call = { name: string; text: string; start: number; end: number };

/** Pairs the begin and end of each call, since the threads' lines are interleaved. */
function callsOf(lines: string[]): Call[] {
  const calls: Call[] = [];
  const unfinished = new Map<string, Call>();
  for (const [at, line] of lines.entries()) {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const begun = unfinished.get(thread);
    if (resumed && begun) {
      calls.push({ ...begun, text: begun.text + resumed[1], end: at });
      unfinished.delete(thread);
      continue;
    }
    const name = /^(\w+)\(/.exec(rest)?.[1];
    if (!name) continue;
    const call = { name, text: rest, start: at, end: at };
    if (rest.includes('<unfinished ...>')) unfinished.set(thread, call);
    else calls.push(call);
  }
  return calls.toSorted((a, b) => a.start - b.start);
}

const isWrite = ({ name }: Call) => ['write', 'writev', 'sendto', 'sendmsg'].includes(name);
const says = (what: RegExp) => (call: Call) => isWrite(call) && what.test(call.text);
const fileOf = ({ text }: Call) => /^\w+\((\d+)</.exec(text)?.[1];

/** Matches a statement by its text or, once it is prepared, by its values: the file names. */
const isInsert = says(/^\w+\(\d+<[^>]*>, (?:\[\{iov_base=)?"(?:P.*insert into \\?"images|B\\0.*\.jpg)/);
const isAnswer = (status: number) => says(new RegExp(`HTTP/1\\.1 ${status}`));

/** @returns what is out of order among the calls of one upload, or undefined */
function disorder(calls: Call[]): string | undefined {
  const insert = calls.filter(isInsert).at(-1);
  const answer = calls.find(isAnswer(201));
  const renames = calls.filter(({ name }) => name.startsWith('rename'));
  const syncs = calls.filter(({ name, text }) => name === 'fsync' && text.endsWith('= 0'));
  if (!insert || !answer || renames.length === 0) return `no rename, no INSERT or no answer: ${calls.length} calls`;
  for (const rename of renames) {
    const [, from = '', to = ''] = /"([^"]+)".*"([^"]+)"/.exec(rename.text) ?? [];
    const folder = to.slice(0, to.lastIndexOf('/'));
    if (!syncs.some(({ text, end }) => text.includes(`<${from}>`) && end < rename.start))
      return `renamed before it was synced: ${rename.text}`;
    if (!syncs.some(({ text, start, end }) => text.includes(`<${folder}>`) && start > rename.end && end < insert.start))
      return `its folder was not synced before the rows: ${rename.text}`;
  }
  // On the connection of the INSERT, the last write before the answer is COMMIT.
  const commit = calls
    .filter((call) => isWrite(call) && fileOf(call) === fileOf(insert) && call.start > insert.end)
    .at(-1);
  return commit && commit.end < answer.start ? undefined : 'answered before COMMIT was sent';
}

const count = rounds(20, 100);

tap.setTimeout(600_000);
tap.test(
  `each of ${count} uploads keeps the order fsync(file) < rename < fsync(folder) < COMMIT < answer`,
  { skip: withoutStrace, timeout: 300_000 },
  async (t) => {
    const home = await createHome(t);
    const server = await home.start();
    const account = await newAccount(server.origin);
    const ledger = createLedger();
    // This upload opens the pool's connections and threads.
    await uploadInto(ledger, server.origin, account, await pictures(3));
    const calls = 'fsync,rename,renameat,renameat2,write,writev,sendto,sendmsg';
    const tracer = await trace(t, server.pid, { expressions: [`trace=${calls}`], words: ['-y', '-s', '2000'] });
    for (let turn = 0; turn < count; turn += 1) {
      const { status } = await uploadInto(ledger, server.origin, account, await pictures(1 + (turn % 3)));
      t.equal(status, 201);
    }
    await tracer.end();
    const all = callsOf(tracer.lines());
    const answers = all.flatMap((call, at) => (isAnswer(201)(call) ? [at] : []));
    t.equal(answers.length, count);
    const wrong = answers.map((at, turn) => disorder(all.slice(turn === 0 ? 0 : (answers[turn - 1] ?? 0) + 1, at + 1)));
    const good = wrong.filter((each) => each === undefined).length;
    t.same(
      wrong.filter((each) => each !== undefined),
      [],
    );
    measured('G11', {
      seen: `${good} of ${count}`,
      held: good === count,
      count: { made: count, wanted: 100, what: 'uploads' },
    });

    // A deletion removes the row first, then the bytes, and is answered once the folder is synced.
    const removal = await trace(t, server.pid, {
      expressions: ['trace=fsync,unlink,unlinkat,write,writev,sendto,sendmsg'],
      words: ['-y', '-s', '2000'],
    });
    const [picture] = ledger.kept.values();
    if (picture) t.equal((await deleteFrom(ledger, server.origin, account, picture)).status, 204);
    await removal.end();
    const steps = callsOf(removal.lines());
    const answer = steps.find(isAnswer(204));
    const unlink = steps.find(({ name, text }) => name.startsWith('unlink') && text.includes('/originals/'));
    const sync = steps.find(({ name, text }) => name === 'fsync' && text.includes('/originals/'));
    const places = [unlink?.start, sync?.start, sync?.end, answer?.start].map((place) => place ?? -1);
    t.ok(places[0] !== -1);
    t.same(
      places,
      places.toSorted((a, b) => a - b),
      'unlink < fsync(folder) < answer',
    );
  },
);
