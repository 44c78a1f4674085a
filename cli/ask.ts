import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks questions on the terminal, or reads the answers as lines from a pipe. */
export function createQuestions() {
  const isTerminal = Boolean(process.stdin.isTTY);
  let isHidden = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) process.stderr.write(chunk);
      done();
    },
  });
  let reader: Interface | undefined;
  let lines: AsyncIterator<string> | undefined;

  async function ask(question: string, hidden: boolean): Promise<string> {
    reader ??= createInterface({ input: process.stdin, output, terminal: isTerminal });
    if (!isTerminal) {
      lines ??= reader[Symbol.asyncIterator]();
      return String((await lines.next()).value ?? '').trim();
    }
    process.stderr.write(question);
    isHidden = hidden;
    const answer = await reader.question('');
    isHidden = false;
    if (hidden) process.stderr.write('\n');
    return answer.trim();
  }

  return { ask, close: () => reader?.close() };
}
