/** Unsaved edits of images. They outlive their form, which unmounts with the picture or the overlay. */
import { ApiError, reasonOf } from '../../api/api-error.ts';
import { changeImage } from '../../api/images.ts';
import { session } from '../../session/session.ts';
import { finding } from '../../text/words.ts';
import { showError, showSuccess } from '../../ui/toasts/toast.ts';
import { imageChanged } from '../changes.ts';

/** Only the fields that differ from the image: the others may change in another window meanwhile. */
export interface Draft {
  readonly filename?: string;
  readonly description?: string;
}

/** By image id. */
const drafts = new Map<string, Draft>();

/** Ids of drafts that would be lost by leaving the page: the browser then asks first. */
const endangered = new Set<string>();

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

function endanger(id: string, isNow: boolean): void {
  if (isNow) endangered.add(id);
  else endangered.delete(id);
  if (endangered.size > 0) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
}

let logouts = 0;
// An expired session keeps them for their owner's next login.
session.onEnd((how) => {
  if (how !== 'ended') return;
  logouts += 1;
  for (const id of [...drafts.keys(), ...endangered]) dropDraft(id);
});

export const draftOf = (id: string): Draft | undefined => drafts.get(id);

export function keepDraft(id: string, draft: Draft): void {
  drafts.set(id, draft);
  endanger(id, true);
}

export function dropDraft(id: string): void {
  drafts.delete(id);
  endanger(id, false);
}

/** @throws what the call throws; the draft is then kept, unless a newer one exists */
export async function saveDraft(id: string): Promise<void> {
  const draft = drafts.get(id);
  if (draft === undefined) return;
  drafts.delete(id);
  const begun = logouts;
  try {
    imageChanged(await changeImage(id, draft));
    if (!drafts.has(id)) endanger(id, false);
  } catch (error) {
    if (begun === logouts && !drafts.has(id)) drafts.set(id, draft);
    throw error;
  }
}

/** Reports that a draft whose form is gone was not saved. */
export function reportUnsaved(id: string, error: unknown): void {
  const status = error instanceof ApiError ? error.status : undefined;
  // The image was deleted, and its draft is useless.
  if (status === 404) dropDraft(id);
  // The session is over: the draft is kept for its owner's next login.
  else if (status === 401) endanger(id, false);
  else showError(finding.edit.failed, reasonOf(error));
}

/** Saves the draft of a form that was left, and reports the result. */
export async function saveLeft(id: string): Promise<void> {
  if (!drafts.has(id)) return;
  try {
    await saveDraft(id);
    showSuccess(finding.edit.saved);
  } catch (error) {
    reportUnsaved(id, error);
  }
}
