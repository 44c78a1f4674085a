/** Touch input on a phone. */
import type { CDPSession, Page } from 'playwright-core';

type Point = { x: number; y: number };

export async function fingers(page: Page): Promise<CDPSession> {
  return page.context().newCDPSession(page);
}

/** Moves fingers from their first points to their last, in steps. */
export async function move(session: CDPSession, from: Point[], to: Point[]): Promise<void> {
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: from });
  for (let step = 1; step <= 6; step += 1) {
    const touchPoints = from.map((point, index) => ({
      x: point.x + (((to[index]?.x ?? 0) - point.x) * step) / 6,
      y: point.y + (((to[index]?.y ?? 0) - point.y) * step) / 6,
    }));
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints });
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
