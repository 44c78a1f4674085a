const page = '/index.html';
const lookEvery = 3_600_000;

/** The script that this page began with; its name holds a hash of all that was built with it. */
const ownEntry = (): string | null => document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;

/** Whether the server hands out another page by now than the one that stands here. A server that cannot be reached: no. */
async function isNewer(): Promise<boolean> {
  const entry = ownEntry();
  if (entry === null) return false;
  try {
    const answer = await fetch(page, { cache: 'no-cache', credentials: 'omit' });
    return answer.ok && !(await answer.text()).includes(`"${entry}"`);
  } catch {
    return false;
  }
}

/** Looks when somebody comes back to the page, and each hour; tells once. */
export function watchVersion(tell: () => void): void {
  const look = async () => {
    if (document.visibilityState !== 'visible' || !(await isNewer())) return;
    stop();
    tell();
  };
  const timer = setInterval(look, lookEvery);
  const stop = () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
  document.addEventListener('visibilitychange', look);
}
