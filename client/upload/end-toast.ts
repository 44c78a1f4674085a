import { upload as texts } from '../text/words.ts';
import type { Summary } from './send/summary.ts';

export interface EndToast {
  readonly isError: boolean;
  readonly text: string;
  readonly reason: string | undefined;
}

/** The toast for the end of an upload; null if the screen already shows the result or nothing happened. */
export function endToast({ stored, refused, cancelled, sessionOver, locations }: Summary): EndToast | null {
  if (cancelled || sessionOver || stored + refused.length === 0) return null;
  const places = texts.locations(locations);
  if (refused.length === 0) return { isError: false, text: texts.toast.success, reason: places };
  const counts = stored > 0 ? `${texts.toast.counts(stored, refused.length)} ${places}`.trim() : refused[0]?.reason;
  return { isError: true, text: texts.toast.failure, reason: counts };
}
