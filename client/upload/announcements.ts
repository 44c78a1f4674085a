/** Screen reader announcements of an upload: its start, quarters, pauses, failures and end, but not each per cent. */
import { upload as texts } from '../text/words.ts';
import type { Summary } from './send/summary.ts';
import type { UploadEvent } from './upload-store.ts';

export interface Sentence {
  readonly text: string;
  readonly urgent: boolean;
}

const calm = (text: string): Sentence => ({ text, urgent: false });
const urgent = (text: string): Sentence => ({ text, urgent: true });

const isWorthSaying = ({ cancelled, stored, refused }: Summary): boolean => cancelled || stored + refused.length > 0;

/** One sentence for simultaneous events; several refusals are counted, not listed. */
export function sentenceFor(events: readonly UploadEvent[]): Sentence | null {
  const refused = events.filter((event) => event.kind === 'refused');
  // An upload whose files were all removed from the list is not announced.
  const worthSaying = events.filter((event) => event.kind !== 'ended' || isWorthSaying(event.summary));
  const ended = worthSaying.find((event) => event.kind === 'ended')?.summary;
  const { speech } = texts;
  if (refused.length > 1) return urgent(speech.refusedMany(refused.length));
  if (refused[0]) return urgent(speech.refused(refused[0].name, refused[0].reason));
  if (ended?.cancelled) return calm(speech.cancelled);
  if (ended) {
    const there = ended.duplicates > 0 ? speech.there(ended.duplicates) : '';
    const sentences = [speech.ended(ended.stored, ended.refused.length), there, texts.locations(ended.locations)];
    return calm(sentences.filter((sentence) => sentence !== '').join('. '));
  }
  const last = worthSaying.at(-1);
  switch (last?.kind) {
    case 'added':
      return calm(last.count > 0 ? speech.added(last.count, last.pending) : speech.alreadyListed(last.pending));
    case 'removed':
      return calm(speech.removed(last.name, last.pending));
    case 'started':
      return calm(speech.started(last.count));
    case 'paused':
      return calm(speech.paused);
    case 'resumed':
      return calm(speech.resumed);
    case 'retry-after':
      return calm(speech.retryAfter(last.seconds));
    case 'passed':
      return calm(speech.passed(last.percent));
    default:
      return null;
  }
}
