const page = '/index.html';
const lookEvery = 3_600_000;

/** The page's entry script; its name contains a hash of the whole build. */
const ownEntry = (): string | null => document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;

/** Whether the server serves another page version than this one; false if it is unreachable. */
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

/** Checks when the user returns to the page, and hourly; reports once. */
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
