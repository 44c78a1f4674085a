import { type RefObject, useInsertionEffect, useRef } from 'react';

/** A ref to the value of the last render, for work that continues after a call to the server. Not for use while rendering. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  useInsertionEffect(() => {
    latest.current = value;
  });
  return latest;
}
