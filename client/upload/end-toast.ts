import { texts } from '../text/upload.ts';
import type { Ending } from './send/summary.ts';

export interface EndToast {
  readonly isError: boolean;
  readonly text: string;
  readonly reason: string | undefined;
}

/** The toast for the end of an upload; null if the screen already shows the result or nothing happened. */
export function endToast(ending: Ending): EndToast | null {
  const { stored, refused, reason } = ending;
  if (ending.cancelled || ending.session || stored + refused === 0) return null;
  const places = texts.locations(ending.locations);
  if (refused === 0) return { isError: false, text: texts.toast.success, reason: places };
  const counts = stored > 0 ? `${texts.toast.counts(stored, refused)} ${places}`.trim() : (reason ?? undefined);
  return { isError: true, text: texts.toast.failure, reason: counts };
}
