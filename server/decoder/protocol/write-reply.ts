import { REPLY_DESCRIPTOR, writeFrame } from './frames.ts';
import { type Decoded, type FromWorker, RENDITIONS } from './messages.ts';
import type { Reply } from './replies.ts';

const reply = (message: Reply, parts?: readonly Buffer[]) => writeFrame(REPLY_DESCRIPTOR, message, parts);

export function writeReply(message: FromWorker): void {
  if (message.type === 'fault') {
    const { message: text, code, syscall } = message.fault;
    reply({ type: 'fault', fault: { message: text.slice(0, 500), code, syscall } });
  } else if (message.type !== 'done') reply(message);
  else if (!message.outcome.ok) reply({ type: 'refused', failure: message.outcome.failure });
  else writeDecoded(message.outcome.image);
}

function writeDecoded(decoded: Decoded): void {
  const { thumbnail, screen, thumbnailAvif, screenAvif, ...image } = decoded;
  const parts = { thumbnail, screen, thumbnailAvif, screenAvif };
  const renditions = {
    thumbnail: thumbnail.length,
    screen: screen?.length,
    thumbnailAvif: thumbnailAvif?.length,
    screenAvif: screenAvif?.length,
  };
  const bytes = RENDITIONS.flatMap((name) => parts[name] ?? []);
  reply({ type: 'decoded', image, renditions }, bytes);
}
