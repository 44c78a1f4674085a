import { Pause, Play } from 'lucide-react';
import { createContext, useContext } from 'react';
import { preview } from '../text/words.ts';
import { IconButton } from '../ui/buttons/icon-button.tsx';

/** Whether the pictures follow one another by themselves, and the switch for that. */
export const Slideshow = createContext({ plays: false, toggle: () => {} });

/** In the overlay's bar. */
export function SlideshowButton() {
  const { plays, toggle } = useContext(Slideshow);
  const { pause, play } = preview.slideshow;
  return (
    <IconButton label={plays ? pause : play} onClick={toggle}>
      {plays ? <Pause /> : <Play />}
    </IconButton>
  );
}
