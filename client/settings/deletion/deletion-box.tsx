import { Suspense, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { settings as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Box } from '../box.tsx';
import form from '../form.module.css';
import styles from './deletion-box.module.css';

const DeletionDialog = lazyPart(() => import('./deletion-dialog.tsx'));

interface DeletionBoxProps {
  /** What will be deleted, in words; null if not known. */
  held: string | null;
}

export function DeletionBox({ held }: DeletionBoxProps) {
  const [asking, setAsking] = useState(false);
  return (
    <Box title={texts.deletion.title} span="narrow">
      <p>{texts.deletion.note}</p>
      <div className={form.row}>
        <Button variant="line" className={styles.open} onClick={() => setAsking(true)}>
          {texts.deletion.open}
        </Button>
      </div>
      <Suspense>
        {asking ? <DeletionDialog held={held ?? texts.deletion.everything} onClose={() => setAsking(false)} /> : null}
      </Suspense>
    </Box>
  );
}
