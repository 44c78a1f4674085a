import t from 'tap';
import { fileOf } from '../../testing/files.ts';
import { createAsker } from './thumbnail-requests.ts';
import type { ThumbnailQuestion } from './thumbnails.ts';

class TestWorker extends EventTarget {
  readonly questions: ThumbnailQuestion[] = [];
  isTerminated = false;
  postMessage(question: ThumbnailQuestion): void {
    this.questions.push(question);
  }
  terminate(): void {
    this.isTerminated = true;
  }
  answer(index: number): void {
    const data = { id: this.questions[index]?.id, picture: new Blob(['picture']) };
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

function setup() {
  const workers: TestWorker[] = [];
  const ask = createAsker(() => {
    const worker = new TestWorker();
    workers.push(worker);
    return worker;
  });
  return { workers, ask };
}

t.test('one worker answers each question with its picture', async (t) => {
  const { workers, ask } = setup();
  const [one, two] = [ask(fileOf('a.png')), ask(fileOf('b.png'))];
  workers[0]?.answer(1);
  t.equal((await two)?.size, 7);
  workers[0]?.answer(0);
  t.equal((await one)?.size, 7);
  t.equal(workers.length, 1);
});

t.test('after a worker crashes, the next request starts another', async (t) => {
  const { workers, ask } = setup();
  const first = ask(fileOf('a.png'));
  workers[0]?.answer(0);
  await first;
  const broken = ask(fileOf('b.png'));
  workers[0]?.dispatchEvent(new Event('error'));
  t.equal(await broken, null);
  t.ok(workers[0]?.isTerminated);
  const next = ask(fileOf('c.png'));
  t.equal(workers.length, 2);
  workers[1]?.answer(0);
  t.equal((await next)?.size, 7);
});

t.test('if the worker fails to load, every request resolves to null at once', async (t) => {
  const { workers, ask } = setup();
  const first = ask(fileOf('a.png'));
  workers[0]?.dispatchEvent(new Event('error'));
  t.equal(await first, null);
  t.equal(await ask(fileOf('b.png')), null);
  t.equal(workers.length, 1);
});
