import t from 'tap';
import '../testing/english.ts';
import type { UploadAnswer } from '../../server/contract.ts';
import { fileOf, imageOf, rejectionOf } from '../testing/files.ts';
import type { Environment, Failure, OnSent, ResumableProgress } from './send/environment.ts';
import { speedOf } from './send/progress.ts';
import type { Summary } from './send/summary.ts';
import { totalsOf } from './send/totals.ts';
import type { JobParts } from './send/upload-job.ts';
import { sendWaiting } from './send/upload-loop.ts';
import type { UploadEvent } from './upload-store.ts';
import { createUploader } from './uploader.ts';

interface Request {
  names: string[];
  keys: (string | undefined)[];
  onSent: OnSent;
  signal: AbortSignal;
  answer: (answer: UploadAnswer) => void;
  fail: (failure: Partial<Failure>) => void;
}

type Resumable = ResumableProgress & {
  name: string;
  signal: AbortSignal;
  answer: (answer: UploadAnswer) => void;
  fail: (failure: Partial<Failure>) => void;
};

type EndedJob = Omit<Summary, 'refused'> & { refused: number; reason: string | undefined };

interface Pause {
  ms: number;
  end: () => void;
}

/** Bytes of a file that needs a resumable upload. */
const large = 9_000_000;

class Refusal extends Error {
  readonly failure: Failure;
  constructor(failure: Partial<Failure>) {
    super('refused');
    this.failure = {
      reason: 'because',
      isFinal: false,
      tooMany: false,
      waitMs: null,
      lost: false,
      away: false,
      stops: false,
      full: false,
      session: false,
      rejected: [],
      ...failure,
    };
  }
}

/** A request that an abort rejects. It leaves no listener on the signal, which outlives many requests. */
function untilAborted<T>(
  signal: AbortSignal,
  begin: (resolve: (answer: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
  const over = new AbortController();
  const request = new Promise<T>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { signal: over.signal });
    begin(resolve, reject);
  });
  return request.finally(() => over.abort());
}

/** The page and the server of an uploader: the test answers the requests. */
function createEnvironment() {
  const requests: Request[] = [];
  const pauses: Pause[] = [];
  const pieces: Resumable[] = [];
  const clock = { now: 0 };
  let arrived = () => {};
  const server = { isOnline: true, isReady: true, asked: 0 };
  const environment: Environment = {
    now: () => clock.now,
    pageKey: 'page',
    isOnline: () => server.isOnline,
    isReady: async () => {
      server.asked += 1;
      return server.isReady;
    },
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          signal.removeEventListener('abort', end);
          resolve();
        };
        signal.addEventListener('abort', end);
        pauses.push({ ms, end });
        arrived();
      }),
    isReadable: async (file) => !file.name.startsWith('gone'),
    sendResumable: ({ file }, report, signal) =>
      untilAborted(signal, (resolve, reject) => {
        const fail = (failure: Partial<Failure>): void => reject(new Refusal(failure));
        pieces.push({ name: file.name, ...report, signal, answer: resolve, fail });
        arrived();
      }),
    explain: (error) => (error as Refusal).failure,
    sendForm: (items, onSent, signal) =>
      untilAborted(signal, (resolve, reject) => {
        const names = items.map(({ file }) => file.name);
        const keys = items.map(({ key }) => key);
        requests.push({
          names,
          keys,
          onSent,
          signal,
          answer: resolve,
          fail: (failure) => reject(new Refusal(failure)),
        });
        arrived();
      }),
  };
  /** The entry at the index, once it exists. */
  async function nth<T>(list: readonly T[], index: number): Promise<T> {
    for (;;) {
      const found = list[index];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (arrived = resolve));
    }
  }
  return { environment, clock, server, requests, pauses, pieces, nth };
}

/** An uploader whose requests the test answers. */
function setup() {
  const events: UploadEvent[] = [];
  const abandoned: string[] = [];
  const { environment, clock, server, requests, pauses, pieces, nth } = createEnvironment();
  const parts: JobParts = {
    now: environment.now,
    painted: async () => undefined,
    loadSender: async () => (store, plan, signals) => sendWaiting(store, environment, plan, signals),
  };
  const uploader = createUploader(parts, (url) => abandoned.push(url));
  uploader.onEvent((event) => events.push(event));
  return {
    uploader,
    clock,
    requests,
    events,
    abandoned,
    piece: (index: number) => nth(pieces, index),
    pause: (index: number) => nth(pauses, index),
    server,
    request: (index: number) => nth(requests, index),
    /** The summary of the next end, with the number of refused files and the first one's reason. */
    ended: () =>
      new Promise<EndedJob>((resolve) => {
        const off = uploader.onEvent((event) => {
          if (event.kind !== 'ended') return;
          off();
          const { refused, ...summary } = event.summary;
          resolve({ ...summary, refused: refused.length, reason: refused[0]?.reason });
        });
      }),
    sent: () => uploader.getState().files.map(({ id }) => uploader.getState().progress.get(id)?.sent ?? 0),
    phase: () => uploader.getState().job?.phase.kind,
    names: () => uploader.getState().files.map((item) => item.file.name),
  };
}

const allStored = (names: string[]): UploadAnswer => ({ images: names.map((name) => imageOf(name)), rejected: [] });

t.test('all files go in one request, and the list is cleared after success', async (t) => {
  const { uploader, request, requests, ended, names } = setup();
  uploader.add([fileOf('a.png'), fileOf('b.png')]);
  t.ok(uploader.start());
  const first = await request(0);
  t.same(first.names, ['a.png', 'b.png']);
  const ending = ended();
  first.answer(allStored(first.names));
  t.match(await ending, { stored: 2, refused: 0, cancelled: false, locations: { removed: 0, kept: 0, withheld: 0 } });
  t.same(names(), []);
  t.equal(requests.length, 1);
});

t.test('the end of a run counts the locations of its stored images, across requests', async (t) => {
  const { uploader, request, ended } = setup();
  uploader.add([fileOf('a.png'), fileOf('b.png'), fileOf('c.png')]);
  uploader.start();
  const ending = ended();
  const [first, last] = [imageOf('a.png', 10, { location: 'removed' }), imageOf('c.png', 10, { location: 'withheld' })];
  (await request(0)).answer({ images: [first, last], rejected: [rejectionOf('b.png', 'QUOTA_EXCEEDED')] });
  t.match(await ending, { stored: 2, locations: { removed: 1, kept: 0, withheld: 1 } });
  const again = ended();
  uploader.retryAll();
  (await request(1)).answer({ images: [imageOf('b.png', 10, { location: 'removed' })], rejected: [] });
  t.match(await again, { stored: 1, locations: { removed: 1, kept: 0, withheld: 0 } }, 'only this run counts');
});

t.test('an upload without files does not start', async (t) => {
  const { uploader, requests } = setup();
  t.notOk(uploader.start());
  t.equal(requests.length, 0);
});

t.test('a partly refused upload keeps only the refused files, with their reasons', async (t) => {
  const { uploader, request, ended, names } = setup();
  uploader.add([fileOf('a.png'), fileOf('b.txt')]);
  uploader.start();
  const ending = ended();
  (await request(0)).answer({ images: [imageOf('a.png')], rejected: [rejectionOf('b.txt')] });
  t.match(await ending, { stored: 1, refused: 1, reason: 'b.txt is no image' });
  t.same(names(), ['b.txt']);
  t.match(uploader.getState().files[0], { status: 'refused', reason: 'b.txt is no image' });
});

t.test('files added during an upload wait for the next one', async (t) => {
  const { uploader, request, ended, names } = setup();
  uploader.add([fileOf('a.png')]);
  uploader.start();
  uploader.add([fileOf('later.png')]);
  const ending = ended();
  (await request(0)).answer(allStored(['a.png']));
  await ending;
  t.same(names(), ['later.png']);
  t.equal(uploader.getState().files[0]?.status, 'pending');
});

t.test('a thousand files are sent in requests of at most a hundred, one after another', async (t) => {
  const { uploader, request, requests, ended, names } = setup();
  const all = new Promise<void>((resolve) => {
    uploader.onEvent(({ kind }) => kind === 'added' && resolve());
  });
  uploader.add(Array.from({ length: 1000 }, (_, index) => fileOf(`${index}.png`)));
  await all;
  uploader.start();
  const ending = ended();
  for (let index = 0; index < 10; index += 1) {
    const one = await request(index);
    t.equal(requests.length, index + 1);
    t.equal(one.names.length, 100);
    one.answer(allStored(one.names));
  }
  t.match(await ending, { stored: 1000, refused: 0 });
  t.same(names(), []);
});

t.test('a server that refuses too many files gets smaller requests until it accepts them', async (t) => {
  const { uploader, request, ended } = setup();
  uploader.add(Array.from({ length: 10 }, (_, index) => fileOf(`${index}.png`)));
  uploader.start();
  const ending = ended();
  (await request(0)).fail({ tooMany: true });
  (await request(1)).fail({ tooMany: true });
  for (let index = 2; index < 7; index += 1) {
    const one = await request(index);
    t.equal(one.names.length, 2);
    one.answer(allStored(one.names));
  }
  t.match(await ending, { stored: 10, refused: 0 });
});

t.test('files refused as surplus go into the next request', async (t) => {
  const { uploader, request, ended } = setup();
  uploader.add(['a', 'b', 'c'].map((name) => fileOf(name)));
  uploader.start();
  const ending = ended();
  (await request(0)).answer({
    images: [imageOf('a'), imageOf('b')],
    rejected: [rejectionOf('c', 'TOO_MANY_FILES')],
  });
  const second = await request(1);
  t.same(second.names, ['c']);
  second.answer(allStored(['c']));
  t.match(await ending, { stored: 3, refused: 0 });
});

t.test('a lost connection refuses the waiting files too, and keeps all of them listed', async (t) => {
  const { uploader, request, requests, ended, names } = setup();
  uploader.add(Array.from({ length: 150 }, (_, index) => fileOf(`${index}.png`)));
  uploader.start();
  const ending = ended();
  (await request(0)).fail({ stops: true, reason: 'offline' });
  t.match(await ending, { stored: 0, refused: 150, reason: 'offline' });
  t.equal(requests.length, 1);
  t.equal(names().length, 150);
});

t.test('a file deleted from the disk is refused, and the others are sent', async (t) => {
  const { uploader, request, piece, ended, names, events } = setup();
  uploader.add([fileOf('a.png'), fileOf('gone.png'), fileOf('b.png'), fileOf('gone-too.png', large)]);
  uploader.start();
  const ending = ended();
  const lost = { lost: true, stops: true, reason: 'offline' };
  (await request(0)).fail(lost);
  (await piece(0)).fail(lost);
  const again = await request(1);
  t.same(again.names, ['a.png', 'b.png']);
  again.answer(allStored(again.names));
  t.match(await ending, { stored: 2, refused: 2, reason: 'The file was changed or moved. Choose it again.' });
  t.same(names(), ['gone.png', 'gone-too.png']);
  t.same(
    events
      .filter((event) => event.kind === 'refused')
      .map(({ name }) => name)
      .sort(),
    ['gone-too.png', 'gone.png'],
  );
});

t.test('an upload cancelled while unreadable files are looked for stays cancelled', async (t) => {
  const { uploader, request, ended } = setup();
  uploader.add([fileOf('a.png'), fileOf('gone.png')]);
  uploader.start();
  (await request(0)).fail({ lost: true, stops: true });
  const ending = ended();
  await Promise.resolve();
  uploader.cancel();
  t.match(await ending, { cancelled: true, refused: 0 });
  t.ok(uploader.getState().files.every(({ status }) => status === 'pending'));
});

t.test('a full account ends the run at its first request, unless a single file is too large', async (t) => {
  const { uploader, request, requests, ended } = setup();
  uploader.add(Array.from({ length: 150 }, (_, index) => fileOf(`${index}.png`)));
  uploader.start();
  const ending = ended();
  (await request(0)).fail({ full: true, reason: 'no room' });
  t.match(await ending, { stored: 0, refused: 150, reason: 'no room' });
  t.equal(requests.length, 1);

  const other = setup();
  other.uploader.add([...['1.png', '2.png', '3.png'].map((name) => fileOf(name, large)), fileOf('b.png')]);
  other.uploader.start();
  const end = other.ended();
  for (const index of [0, 1]) (await other.piece(index)).fail({ full: true, reason: 'no room' });
  (await other.piece(2)).answer(allStored(['3.png']));
  (await other.request(0)).answer(allStored(['b.png']));
  t.match(await end, { stored: 2, refused: 2 });
});

t.test('an upload waits as long as the server requests, then continues', async (t) => {
  const { uploader, request, requests, pause, events, ended, sent, phase } = setup();
  uploader.add(Array.from({ length: 150 }, (_, index) => fileOf(`${index}.png`)));
  uploader.start();
  const ending = ended();
  (await request(0)).fail({ waitMs: 12_000, reason: 'busy' });
  const first = await pause(0);
  t.equal(first.ms, 12_000);
  t.same(uploader.getState().job?.phase, { kind: 'retry-after', until: 12_000 }, 'the end of the wait is shown');
  t.ok(uploader.getState().files.every((item) => item.status === 'waiting'));
  t.ok(sent().every((bytes) => bytes === 0));
  t.equal(requests.length, 1, 'nothing is sent meanwhile');
  first.end();
  const again = await request(1);
  t.equal(phase(), 'sending');
  again.fail({ waitMs: 5_000 });
  (await pause(1)).end();
  const third = await request(2);
  t.equal(third.names.length, 100, 'the same files');
  third.answer(allStored(third.names));
  const last = await request(3);
  last.answer(allStored(last.names));
  t.match(await ending, { stored: 150, refused: 0 });
  t.same(
    events.filter((event) => event.kind === 'retry-after'),
    [
      { kind: 'retry-after', seconds: 12 },
      { kind: 'retry-after', seconds: 5 },
    ],
  );
});

t.test('a waiting upload can be cancelled', async (t) => {
  const { uploader, request, pause, ended, names } = setup();
  uploader.add([fileOf('a.png')]);
  uploader.start();
  (await request(0)).fail({ waitMs: 60_000 });
  await pause(0);
  const ending = ended();
  uploader.cancel();
  t.match(await ending, { stored: 0, refused: 0, cancelled: true });
  t.same(names(), ['a.png']);
  t.equal(uploader.getState().files[0]?.status, 'pending');
});

t.test('each file gets its own reason if none was stored', async (t) => {
  const { uploader, request, ended } = setup();
  uploader.add([fileOf('a.txt'), fileOf('b.png')]);
  uploader.start();
  const ending = ended();
  (await request(0)).fail({ rejected: [rejectionOf('a.txt'), rejectionOf('b.png', 'DAMAGED_IMAGE', 'cut short')] });
  await ending;
  t.same(
    uploader.getState().files.map((item) => item.reason),
    ['a.txt is no image', 'cut short'],
  );
});

t.test('a retry sends files one per request, three at a time', async (t) => {
  const { uploader, request, requests, ended, names } = setup();
  uploader.add(['a', 'b', 'c', 'd'].map((name) => fileOf(name)));
  uploader.start();
  const first = ended();
  (await request(0)).fail({});
  await first;
  uploader.retryAll();
  const second = ended();
  await request(3);
  t.same(
    requests.slice(1).map((one) => one.names),
    [['a'], ['b'], ['c']],
  );
  (await request(1)).answer(allStored(['a']));
  t.same((await request(4)).names, ['d']);
  (await request(2)).answer(allStored(['b']));
  (await request(3)).answer(allStored(['c']));
  (await request(4)).fail({ reason: 'still' });
  t.match(await second, { stored: 3, refused: 1, reason: 'still' });
  t.same(names(), ['d']);
});

t.test('a file that would be refused again is not sent again, and one refused for a passing reason is', async (t) => {
  const { uploader, request, ended } = setup();
  const codes = ['NOT_AN_IMAGE', 'EMPTY_FILE', 'TOO_MANY_PIXELS', 'FILE_TOO_LARGE', 'QUOTA_EXCEEDED'];
  uploader.add(codes.map((code) => fileOf(code)));
  uploader.start();
  const first = ended();
  (await request(0)).fail({ rejected: codes.map((code) => rejectionOf(code, code)) });
  await first;
  uploader.retryAll();
  const second = ended();
  t.same((await request(1)).names, ['QUOTA_EXCEEDED']);
  (await request(1)).fail({ reason: 'too large', isFinal: true });
  t.match(await second, { refused: 1, reason: 'too large' });
  t.equal(uploader.start(), false, 'Upload leaves it out too');
});

t.test('cancelling aborts the request and keeps the list', async (t) => {
  const { uploader, request, ended, names } = setup();
  uploader.add([fileOf('a.png'), fileOf('b.png')]);
  uploader.start();
  const { signal } = await request(0);
  const ending = ended();
  uploader.cancel();
  t.match(await ending, { stored: 0, refused: 0, cancelled: true });
  t.ok(signal.aborted);
  t.same(names(), ['a.png', 'b.png']);
  t.ok(uploader.getState().files.every((item) => item.status === 'pending'));
  t.equal(uploader.getState().progress.size, 0);
});

t.test('a retry between Cancel and the end of the job is sent as a new job', async (t) => {
  const { uploader, request, requests, piece, ended } = setup();
  uploader.add([fileOf('large.png', large), fileOf('small.png')]);
  uploader.start();
  await piece(0);
  (await request(0)).answer({ images: [], rejected: [rejectionOf('small.png', 'QUOTA_EXCEEDED')] });
  await new Promise((resolve) => setImmediate(resolve));
  const small = uploader.getState().files[1]?.id ?? 0;
  const cancelled = ended();
  uploader.cancel();
  uploader.retry(small);
  t.match(await cancelled, { stored: 0, cancelled: true });
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(requests.length, 2);
  const ending = ended();
  (await request(1)).answer(allStored(['small.png']));
  t.match(await ending, { stored: 1, refused: 0 });
  t.same(
    uploader.getState().files.map(({ status }) => status),
    ['pending'],
  );
});

t.test('progress covers the whole run and is announced at each quarter', async (t) => {
  const { uploader, request, events } = setup();
  uploader.add([fileOf('a.png', 100), fileOf('b.png', 300)]);
  uploader.start();
  const { onSent } = await request(0);
  onSent(220, 440);
  const totals = () => {
    const { files, job, progress } = uploader.getState();
    return totalsOf(files, job?.ids ?? new Set(), progress);
  };
  t.match(totals(), { files: 2, filesSent: 1, bytes: 400, bytesSent: 200, finishing: false });
  onSent(440, 440);
  t.match(totals(), { filesSent: 2, finishing: true });
  t.same(
    events.filter((event) => event.kind === 'passed'),
    [{ kind: 'passed', percent: 50 }],
  );
  uploader.cancel();
});

t.test('a reset ends the upload', async (t) => {
  const { uploader, request, names } = setup();
  uploader.add([fileOf('a.png')]);
  uploader.start();
  const { signal } = await request(0);
  uploader.reset();
  t.ok(signal.aborted);
  t.same(names(), []);
  t.equal(uploader.getState().job, null);
});

t.test('a large file uses a resumable upload beside the form of the small files', async (t) => {
  const { uploader, request, piece, ended, names } = setup();
  uploader.add([fileOf('large.png', large), fileOf('small.png')]);
  uploader.start();
  t.same((await request(0)).names, ['small.png']);
  const sent = await piece(0);
  t.equal(sent.name, 'large.png');
  sent.onUrl('/api/uploads/1');
  sent.onSent(4_000_000);
  t.match(uploader.getState().files[0], { url: '/api/uploads/1', status: 'sending' });
  t.equal(uploader.getState().progress.get(1)?.sent, 4_000_000);
  const ending = ended();
  (await request(0)).answer(allStored(['small.png']));
  sent.answer({ images: [imageOf('large.png', large, { duplicate: true })], rejected: [] });
  t.match(await ending, { stored: 2, duplicates: 1, refused: 0 });
  t.same(names(), []);
  t.match(uploader.getState(), { summary: { stored: 2, duplicates: 1 }, summaryOpen: true });
  uploader.closeSummary();
  t.equal(uploader.getState().summaryOpen, false);
});

for (const [again, meanwhile] of [
  ['large', 'small'],
  ['small', 'large'],
] as const) {
  t.test(`a ${again} file that is retried while a ${meanwhile} one is being sent is sent too`, async (t) => {
    const { uploader, request, piece, ended, names } = setup();
    const sent = { large: piece, small: request };
    uploader.add([fileOf('large', large), fileOf('small')]);
    uploader.start();
    const refused = new Promise<void>((resolve) => {
      uploader.onEvent((event) => event.kind === 'refused' && resolve());
    });
    (await sent[again](0)).fail({ reason: 'because' });
    await refused;
    await new Promise(setImmediate);
    uploader.retryAll();
    const ending = ended();
    (await sent[meanwhile](0)).answer(allStored([meanwhile]));
    (await sent[again](1)).answer(allStored([again]));
    t.match(await ending, { stored: 2, refused: 0 });
    t.same(names(), []);
  });
}

t.test(
  'a paused upload finishes its form, stops its resumable uploads, and resumes them at their offset',
  async (t) => {
    const { uploader, request, requests, piece, ended, events } = setup();
    uploader.add([fileOf('large.png', large), fileOf('small.png'), fileOf('more.png')]);
    uploader.start();
    const sent = await piece(0);
    sent.onUrl('/api/uploads/1');
    sent.onSent(4_000_000);
    const form = await request(0);
    uploader.pause();
    t.equal(sent.signal.aborted, true);
    t.equal(form.signal.aborted, false);
    uploader.add([fileOf('late.png')]);
    form.answer(allStored(form.names));
    uploader.resume();
    const again = await piece(1);
    t.match(uploader.getState().files[0], { url: '/api/uploads/1', status: 'sending' });
    t.equal(uploader.getState().progress.get(1)?.sent, 4_000_000);
    const ending = ended();
    again.answer({ images: [imageOf('large.png', large)], rejected: [] });
    t.match(await ending, { stored: 3, refused: 0, cancelled: false });
    t.equal(requests.length, 1);
    t.same(
      events.map(({ kind }) => kind).filter((kind) => /paused|resumed|ended/.test(kind)),
      ['paused', 'resumed', 'ended'],
    );
  },
);

t.test('a paused upload that is cancelled ends and keeps its list', async (t) => {
  const { uploader, piece, ended, names, abandoned } = setup();
  uploader.add([fileOf('large.png', large)]);
  uploader.start();
  (await piece(0)).onUrl('/api/uploads/1');
  uploader.pause();
  const ending = ended();
  uploader.cancel();
  t.match(await ending, { stored: 0, cancelled: true });
  t.equal(uploader.getState().job, null);
  t.same(names(), ['large.png']);
  t.equal(uploader.getState().files[0]?.status, 'pending');
  uploader.clear();
  t.same(abandoned, ['/api/uploads/1']);
});

t.test('an upload paused during its last request ends with that request', async (t) => {
  const { uploader, request, ended, names } = setup();
  uploader.add([fileOf('a.png')]);
  uploader.start();
  const form = await request(0);
  uploader.pause();
  const ending = ended();
  form.answer(allStored(form.names));
  t.match(await ending, { stored: 1, refused: 0, cancelled: false });
  t.equal(uploader.getState().job, null);
  t.same(names(), []);
});

t.test('a paused upload whose list becomes empty ends without showing a summary', async (t) => {
  const { uploader, piece, ended, events } = setup();
  uploader.add([fileOf('large.png', large)]);
  uploader.start();
  await piece(0);
  uploader.pause();
  await new Promise(setImmediate);
  const ending = ended();
  uploader.remove(1);
  t.match(await ending, { stored: 0, refused: 0, cancelled: false });
  t.match(uploader.getState(), { job: null, summaryOpen: false });
  t.equal(events.filter(({ kind }) => kind === 'ended').length, 1);
});

t.test('restored files resume at their URL, and a listed file is not listed twice', async (t) => {
  const { uploader, piece, names } = setup();
  uploader.add([fileOf('a.png')]);
  const ids = uploader.restore([
    { file: fileOf('a.png'), url: undefined },
    { file: fileOf('b.png', large), url: '/api/uploads/1' },
  ]);
  t.equal(ids[0], undefined);
  t.same(names(), ['a.png', 'b.png']);
  uploader.start();
  t.equal((await piece(0)).name, 'b.png');
  t.equal(uploader.getState().files[1]?.url, '/api/uploads/1');
});

t.test('the summary names each refused file with its reason', async (t) => {
  const { uploader, request, ended } = setup();
  uploader.add([fileOf('a.png'), fileOf('b.txt')]);
  uploader.start();
  const ending = ended();
  (await request(0)).answer({ images: [imageOf('a.png')], rejected: [rejectionOf('b.txt')] });
  await ending;
  t.match(uploader.getState().summary, {
    stored: 1,
    duplicates: 0,
    refused: [{ name: 'b.txt', reason: 'b.txt is no image' }],
  });
});

t.test('each file being sent has its own speed, and none while the connection is lost', async (t) => {
  const { uploader, clock, piece } = setup();
  uploader.add([fileOf('a.png', large), fileOf('b.png', large)]);
  uploader.start();
  const [one, other] = [await piece(0), await piece(1)];
  const speeds = () => {
    const { files, progress } = uploader.getState();
    return files.map(({ id }) => speedOf(progress.get(id)?.samples ?? []));
  };
  one.onSent(1000);
  other.onSent(100);
  t.same(speeds(), [null, null]);
  clock.now = 1000;
  one.onSent(5000);
  other.onSent(200);
  t.same(speeds(), [4000, 100]);
  other.onOffline();
  t.same(speeds(), [null, null]);
  clock.now = 60_000;
  one.onSent(6000);
  t.same(speeds(), [null, null], 'the time without a connection does not count');
  clock.now = 61_000;
  one.onSent(8000);
  t.same(speeds(), [2000, null]);
  uploader.cancel();
  t.same(speeds(), [null, null]);
});

t.test('progress keeps the list the same object', async (t) => {
  const { uploader, request, sent } = setup();
  uploader.add([fileOf('a.png', 100), fileOf('b.png', 100), fileOf('c.png', 100)]);
  uploader.start();
  const { onSent } = await request(0);
  const before = uploader.getState().files;
  onSent(150, 300);
  t.same(sent(), [100, 50, 0]);
  t.equal(uploader.getState().files, before);
});

t.test('undo puts removed files back at their position once, and not after a reset', async (t) => {
  const { uploader, names } = setup();
  uploader.add([fileOf('a.png'), fileOf('b.png'), fileOf('c.png')]);
  const undo = uploader.remove(2);
  t.same(names(), ['a.png', 'c.png']);
  uploader.add([fileOf('d.png')]);
  undo?.();
  t.same(names(), ['a.png', 'b.png', 'c.png', 'd.png']);
  undo?.();
  t.same(names(), ['a.png', 'b.png', 'c.png', 'd.png']);
  const { count, undo: fill } = uploader.clear();
  t.equal(count, 4);
  uploader.add([fileOf('c.png')]);
  fill();
  t.same(names().sort(), ['a.png', 'b.png', 'c.png', 'd.png']);
  const last = uploader.clear();
  uploader.reset();
  last.undo();
  t.same(names(), []);
});

t.test('many files are listed in batches, announced once, and dropped by a reset', async (t) => {
  const { uploader, names, events } = setup();
  const many = Array.from({ length: 300 }, (_, number) => fileOf(`${number}.png`));
  const added = () =>
    new Promise<void>((resolve) => {
      uploader.onEvent(({ kind }) => kind === 'added' && resolve());
    });
  uploader.add(many);
  t.ok(names().length < 300);
  await added();
  t.equal(names().length, 300);
  t.match(events, [{ kind: 'added', count: 300, pending: 300 }]);
  uploader.add(many.map(({ name }) => fileOf(`other-${name}`)));
  uploader.reset();
  // Added after the others: those would be listed before these.
  const later = added();
  uploader.add(many.map(({ name }) => fileOf(`later-${name}`)));
  await later;
  t.ok(names().every((name) => name.startsWith('later-')));
});

t.test('an upload started while files are being listed sends all of them; Clear all drops the rest', async (t) => {
  const { uploader, request, ended, names } = setup();
  const many = Array.from({ length: 250 }, (_, number) => fileOf(`${number}.png`));
  const added = () =>
    new Promise<void>((resolve) => {
      uploader.onEvent(({ kind }) => kind === 'added' && resolve());
    });
  uploader.add([fileOf('first.png')]);
  uploader.add(many);
  const all = added();
  t.ok(uploader.start());
  const ending = ended();
  await all;
  for (let index = 0; index < 4; index += 1) {
    const one = await request(index);
    one.answer(allStored(one.names));
  }
  t.match(await ending, { stored: 251 });
  uploader.add(many);
  uploader.clear();
  const other = added();
  uploader.add(Array.from({ length: 250 }, (_, number) => fileOf(`other-${number}.png`)));
  await other;
  t.ok(names().every((name) => name.startsWith('other-')));
});

const away = { lost: true, away: true, stops: true, reason: 'offline' };

t.test('an upload waits for the network, then resumes with the same keys', async (t) => {
  const { uploader, server, request, requests, piece, pause, ended, names, phase } = setup();
  uploader.add([fileOf('large.png', large), fileOf('a.png'), fileOf('b.png')]);
  uploader.start();
  const ending = ended();
  const first = await request(0);
  Object.assign(server, { isOnline: false, isReady: false });
  first.fail(away);
  // Offline tries do not count.
  for (let index = 0; index < 30; index += 1) {
    const one = await pause(index);
    t.equal(one.ms, 15_000, 'the online event ends the wait, so polling is slow');
    if (index === 29) Object.assign(server, { isOnline: true, isReady: true });
    else t.equal(phase(), 'offline');
    one.end();
  }
  t.same(names(), ['large.png', 'a.png', 'b.png']);
  const again = await request(1);
  t.equal(phase(), 'sending');
  t.same(again.names, ['a.png', 'b.png']);
  t.same(again.keys, first.keys);
  t.equal(new Set(again.keys).size, 2, 'each file has its own key');
  again.answer(allStored(again.names));
  (await piece(0)).answer(allStored(['large.png']));
  t.match(await ending, { stored: 3, refused: 0 });
  t.equal(requests.length, 2);
});

t.test('an upload waits for a restarting server, and is refused but kept if the server stays away', async (t) => {
  const { uploader, server, request, pause, ended, names } = setup();
  uploader.add([fileOf('a.png')]);
  uploader.start();
  const ending = ended();
  server.isReady = false;
  (await request(0)).fail({ ...away, lost: false });
  const waits: number[] = [];
  for (let index = 0; index < 14; index += 1) {
    const one = await pause(index);
    waits.push(one.ms);
    one.end();
  }
  t.match(await ending, { stored: 0, refused: 1, reason: 'offline' });
  t.same(names(), ['a.png']);
  t.ok(waits.reduce((sum, ms) => sum + ms) > 100_000, `${waits}`);
  const second = ended();
  uploader.retryAll();
  server.isReady = true;
  const last = await request(1);
  t.same(last.keys, ['page-1'], 'it may be stored already, so it keeps its key');
  last.answer(allStored(['a.png']));
  t.match(await second, { stored: 1 });
});

t.test('requests that keep failing while the server is healthy are refused; a success resets the count', async (t) => {
  const { uploader, request, requests, pause, ended } = setup();
  uploader.add(['a', 'b', 'c', 'd'].map((name) => fileOf(name)));
  uploader.start();
  const ending = ended();
  const first = await request(0);
  first.onSent(10, 100);
  first.fail(away);
  (await pause(0)).end();
  const second = await request(1);
  t.same(second.names, ['a', 'b'], 'a smaller request loses less');
  second.fail(away);
  (await pause(1)).end();
  const third = await request(2);
  third.answer(allStored(third.names));
  for (const index of [3, 4, 5]) {
    (await request(index)).fail(away);
    if (index < 5) (await pause(index - 1)).end();
  }
  t.match(await ending, { stored: 2, refused: 2, reason: 'offline' });
  t.equal(requests.length, 6);
});

t.test('concurrent failures share one wait', async (t) => {
  const { uploader, server, request, requests, pause, ended } = setup();
  uploader.add(['a', 'b', 'c'].map((name) => fileOf(name)));
  uploader.start();
  const refused = ended();
  (await request(0)).fail({});
  await refused;
  uploader.retryAll();
  const ending = ended();
  for (const index of [1, 2, 3]) (await request(index)).fail(away);
  (await pause(0)).end();
  for (const index of [4, 5, 6]) (await request(index)).answer(allStored([requests[index]?.names[0] ?? '']));
  t.match(await ending, { stored: 3, refused: 0 });
  t.equal(server.asked, 1);
});

for (const how of ['cancel', 'pause'] as const) {
  t.test(`an upload that waits for the network responds to ${how}`, async (t) => {
    const { uploader, server, request, requests, pause, names } = setup();
    uploader.add([fileOf('a.png')]);
    uploader.start();
    server.isReady = false;
    (await request(0)).fail(away);
    await pause(0);
    uploader[how]();
    await new Promise((resolve) => setImmediate(resolve));
    t.equal(requests.length, 1);
    t.same(names(), ['a.png']);
    t.equal(uploader.getState().files[0]?.status, how === 'cancel' ? 'pending' : 'waiting');
    server.isReady = true;
    if (how === 'cancel') uploader.start();
    else uploader.resume();
    t.same((await request(1)).keys, requests[0]?.keys);
  });
}

t.test('a run ends when its last waiting file is removed, and the next one can start', async (t) => {
  const { uploader, server, request, pause, ended } = setup();
  uploader.add([fileOf('a.png')]);
  uploader.start();
  const ending = ended();
  Object.assign(server, { isOnline: false, isReady: false });
  (await request(0)).fail(away);
  await pause(0);
  uploader.remove(uploader.getState().files[0]?.id ?? 0);
  t.match(await ending, { stored: 0, refused: 0 });
  t.equal(uploader.getState().job, null);
  Object.assign(server, { isOnline: true, isReady: true });
  uploader.add([fileOf('b.png')]);
  t.ok(uploader.start());
  const next = ended();
  (await request(1)).answer(allStored(['b.png']));
  t.match(await next, { stored: 1 });
});

for (const [line, ms, most] of [
  ['steady', 5000, 8_000_000],
  ['fast', 500, 16_000_000],
] as const) {
  t.test(`a ${line} connection that is cut sends at most one small group again`, async (t) => {
    const { uploader, clock, request, requests, pause, ended } = setup();
    const size = 800_000;
    uploader.add(Array.from({ length: 96 }, (_, index) => fileOf(`${index}.png`, size)));
    uploader.start();
    const ending = ended();
    for (const index of [0, 1]) {
      const one = await request(index);
      clock.now += ms;
      one.answer(allStored(one.names));
    }
    const cut = await request(2);
    cut.onSent(7_000_000, 8_000_000);
    cut.fail(away);
    (await pause(0)).end();
    for (let index = 3; uploader.getState().job !== null; index += 1) {
      const one = await Promise.race([request(index), ending.then(() => null)]);
      one?.answer(allStored(one.names));
      await new Promise(setImmediate);
    }
    t.match(await ending, { stored: 96, refused: 0 });
    const counts = new Map<string, number>();
    for (const name of requests.flatMap(({ names }) => names)) counts.set(name, (counts.get(name) ?? 0) + 1);
    const again = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
    t.same(again.sort(), [...cut.names].sort(), 'the group that was cut off, and no other');
    t.ok(again.length * size <= most, `${again.length} files`);
  });
}

t.test('bytes that the server had before a reload do not count as speed', async (t) => {
  const { uploader, clock, piece } = setup();
  uploader.restore([{ file: fileOf('a.png', large), url: '/api/uploads/1', key: 'key' }]);
  uploader.start();
  const sent = await piece(0);
  clock.now = 1000;
  sent.onOffset(8_000_000);
  clock.now = 2000;
  sent.onSent(8_000_400);
  t.equal(uploader.getState().progress.get(1)?.sent, 8_000_400, 'they count as progress');
  t.equal(uploader.speed(), 200);
});

t.test('a change of thousands of files is one change of the state', async (t) => {
  const { uploader, request } = setup();
  const added = new Promise<void>((resolve) => {
    uploader.onEvent(({ kind }) => kind === 'added' && resolve());
  });
  uploader.add(Array.from({ length: 5000 }, (_, index) => fileOf(`${index}.png`)));
  await added;
  let changes = 0;
  uploader.subscribe(() => {
    changes += 1;
  });
  const during = (work: () => void): number => {
    changes = 0;
    work();
    return changes;
  };
  t.equal(during(uploader.start), 1);
  await request(0);
  t.equal(during(uploader.pause), 1);
  t.equal(during(uploader.resume), 1);
  t.equal(during(uploader.cancel), 1);
  await new Promise(setImmediate);
  t.equal(during(uploader.clear), 1);
});
