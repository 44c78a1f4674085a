import { useEffect, useState } from 'react';

type List = typeof import('./pending-list.tsx').PendingList;

let list: List | undefined;

/** The component of the pending list, loaded after the page has rendered; undefined until then. Offline, it loads when the network returns. */
export function useList(): List | undefined {
  const [there, setThere] = useState(list !== undefined);
  useEffect(() => {
    if (there) return;
    let isOver = false;
    const fetch = (): void => {
      import('./pending-list.tsx').then(
        ({ PendingList }) => {
          list = PendingList;
          if (!isOver) setThere(true);
        },
        () => undefined,
      );
    };
    fetch();
    window.addEventListener('online', fetch);
    return () => {
      isOver = true;
      window.removeEventListener('online', fetch);
    };
  }, [there]);
  return there ? list : undefined;
}
