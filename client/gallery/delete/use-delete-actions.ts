import { useCallback, useMemo } from 'react';
import type { Image } from '../../../server/contract.ts';
import type { PreviewDeletion } from '../../image/preview/preview.tsx';
import type { Selecting } from '../select/use-selection.ts';
import type { Deletion } from './use-deletion.ts';

/** The three ways to delete: the button of a card, the selection bar and the overlay. */
export function useDeleteActions(deletion: Deletion, selecting: Selecting, chosen: readonly Image[]) {
  const { ask } = deletion;
  const removeOne = useCallback((image: Image) => void ask([image]), [ask]);
  const removeChosen = async (): Promise<void> => {
    const outcome = await ask(chosen);
    if (!outcome) return;
    if (outcome.problems.size > 0) selecting.fail(outcome.problems);
    else selecting.leave();
  };
  const inPreview = useMemo<PreviewDeletion>(
    () => ({ ...deletion, ask: (image, target) => void ask([image], target) }),
    [deletion, ask],
  );
  return { removeOne, removeChosen, inPreview };
}
