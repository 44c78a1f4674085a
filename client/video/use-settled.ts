import { useEffect, useState } from 'react';

const typingPause = 400;

/** Returns `text` 400 ms after the last key, or at once after a paste; empty meanwhile. */
export function useSettled(text: string): string {
  const [last, setLast] = useState(text);
  const [settled, setSettled] = useState(text);
  if (text !== last) {
    setLast(text);
    if (Math.abs(text.length - last.length) > 1) setSettled(text);
  }
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingPause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled === text ? text : '';
}
