import { useEffect, useState } from 'react';

type List = typeof import('./list/pending-list.tsx').PendingList;

let list: List | undefined;

/** Loads the pending list's component after the first render; undefined until then. Retries when the network returns. */
export function useList(): List | undefined {
  const [there, setThere] = useState(list !== undefined);
  useEffect(() => {
    if (there) return;
    let isOver = false;
    const fetch = (): void => {
      import('./list/pending-list.tsx').then(
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
