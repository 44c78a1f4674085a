/** A compromised decoder: it sends the requests in its picture and uses the processor while it waits. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { REPLY_DESCRIPTOR, writeFrame } from '../protocol/frames.ts';
import type { ToWorker } from '../protocol/messages.ts';

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line) as ToWorker;
    if (message.type !== 'decode') return;
    for (const request of JSON.parse(readFileSync(message.path, 'utf8'))) writeFrame(REPLY_DESCRIPTOR, request);
    for (;;);
  })
  .on('close', () => process.exit(0));
writeFrame(REPLY_DESCRIPTOR, { type: 'ready' });
