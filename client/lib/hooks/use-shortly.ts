import { useCallback, useEffect, useRef, useState } from 'react';

/** A flag that stays on for some ms after the last call of the returned function. */
export function useShortly(ms: number): readonly [boolean, () => void] {
  const [isOn, setOn] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const turnOn = useCallback(() => {
    clearTimeout(timer.current);
    setOn(true);
    timer.current = setTimeout(() => setOn(false), ms);
  }, [ms]);
  return [isOn, turnOn];
}
