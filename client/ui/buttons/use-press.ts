import { useState } from 'react';
import { afterPaint } from '../../lib/after-paint.ts';

/** The pressed button or link shows it at once. Its work follows after the next paint, because thousands of files take a moment. */
export function usePress<Button>() {
  const [pressed, setPressed] = useState<Button | null>(null);
  const press = (button: Button, work: () => void) => () => {
    setPressed(() => button);
    afterPaint(() => {
      work();
      setPressed(null);
    });
  };
  return [pressed, press] as const;
}
