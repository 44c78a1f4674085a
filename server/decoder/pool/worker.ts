/** The decoder process, which decodes one picture at a time. Its parent is worker-process.ts. */
import { createInterface } from 'node:readline';
import { getHeapStatistics } from 'node:v8';
import { reachable } from '../cage/check.ts';
import { type DecodeLimits, LIGHT, SVG_TIMEOUT_MS } from '../core/limits.ts';
import { decode } from '../decoding/decode.ts';
import type { Inspected } from '../decoding/inspect.ts';
import type { FaultCode, FromWorker, ToWorker, Wanted } from '../protocol/messages.ts';
import { writeReply } from '../protocol/write-reply.ts';

/** Bytes of pixels left to the garbage collector, which frees them late because they are outside its heap. */
const UNCOLLECTED = 4 * 1024 * 1024;

/** Collects the last picture's buffers: a minor collection finds young objects at a tenth of the cost. */
function collect(): void {
  // Unlike process.memoryUsage(), this does not read /proc, which a cage may forbid.
  const held = () => getHeapStatistics().external_memory;
  if (held() > UNCOLLECTED) global.gc?.({ type: 'minor' });
  if (held() > 3 * UNCOLLECTED) global.gc?.();
}

let granted = () => {};
const send = (message: FromWorker) => writeReply(message);

function grant(picture: Inspected, limits: DecodeLimits): Promise<void> {
  const { format } = picture;
  const memory = picture.memory + picture.size;
  if (memory < LIGHT && format !== 'svg') return Promise.resolve();
  const timeoutMs = format === 'svg' ? Math.min(SVG_TIMEOUT_MS, limits.timeoutMs) : limits.timeoutMs;
  return new Promise((resolve) => {
    granted = resolve;
    send({ type: 'need', memory: memory < LIGHT ? 0 : memory, timeoutMs });
  });
}

async function run(path: string, limits: DecodeLimits, wanted: Wanted): Promise<void> {
  try {
    const before = (picture: Inspected) => grant(picture, limits);
    const onRead = () => send({ type: 'read' });
    send({ type: 'done', outcome: await decode(path, limits, wanted, { before, onRead }) });
  } catch (error) {
    const { message, code, syscall = '' } = error as NodeJS.ErrnoException;
    // An error with another code is an invalid reply, which ends this process.
    send({ type: 'fault', fault: { message, code: code as FaultCode, syscall } });
  }
  collect();
}

function handle(message: ToWorker): void {
  if (message.type === 'grant') granted();
  else if (message.type === 'decode') void run(message.path, message.limits, message.wanted);
  else void reachable(message.forbidden).then((found) => send({ type: 'checked', reachable: found }));
}

createInterface({ input: process.stdin })
  .on('line', (line) => handle(JSON.parse(line) as ToWorker))
  .on('close', () => process.exit(0));
// Ctrl-C reaches the whole process group; the parent decides when its workers end.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
send({ type: 'ready' });
