import t from 'tap';

const provider = 'https://id.example/authorize';

/** A browser's window, as far as the module uses it. */
function openWindow() {
  const target = new EventTarget();
  const visited: string[] = [];
  const location = {
    ...{ pathname: '/dashboard/admin', search: '?part=people' },
    assign: (url: string) => void visited.push(url),
  };
  const values = new Map<string, string>();
  const sessionStorage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
  const window = Object.assign(target, { location });
  const show = (persisted: boolean) => target.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
  return { window, location, sessionStorage, values, visited, show };
}

const browser = openWindow();
const { window, location, sessionStorage } = browser;
Object.assign(globalThis, { window, location, sessionStorage });
const { leaveFor } = await import('./proof-page.ts');

t.test('a page that the browser restores from its cache continues, without the place to return to', async (t) => {
  let isBack = false;
  const leaving = leaveFor(provider).then(() => {
    isBack = true;
  });
  t.same(browser.visited, [provider]);
  t.same([...browser.values], [['proof-page', '/dashboard/admin?part=people']], 'in the storage of this tab');
  browser.show(false);
  await new Promise(setImmediate);
  t.equal(isBack, false, 'not while it loads');
  browser.show(true);
  await leaving;
  t.same([...browser.values], []);
});
