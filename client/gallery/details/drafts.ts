/** What was typed about images and is not on the server yet. It outlives its form, which goes with the picture or the overlay. */
import { ApiError, reasonOf } from '../../api/api-error.ts';
import { changeImage } from '../../api/images.ts';
import { texts as finding } from '../../text/finding.ts';
import { showError, showSuccess } from '../../ui/toast.tsx';

/** Only what is other than the image has it: the rest may be changed in another window meanwhile. */
export interface Draft {
  readonly filename?: string;
  readonly description?: string;
}

/** By the images' ids. */
const drafts = new Map<string, Draft>();

/** Those of which leaving the page would lose something: then the browser asks. */
const endangered = new Set<string>();

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

function endanger(id: string, isNow: boolean): void {
  if (isNow) endangered.add(id);
  else endangered.delete(id);
  if (endangered.size > 0) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
}

export const draftOf = (id: string): Draft | undefined => drafts.get(id);

export function keepDraft(id: string, draft: Draft): void {
  drafts.set(id, draft);
  endanger(id, true);
}

export function dropDraft(id: string): void {
  drafts.delete(id);
  endanger(id, false);
}

/** @throws what the call throws; the draft is kept then, where nothing newer was typed */
export async function saveDraft(id: string): Promise<void> {
  const draft = drafts.get(id);
  if (draft === undefined) return;
  drafts.delete(id);
  try {
    await changeImage(id, draft);
    if (!drafts.has(id)) endanger(id, false);
  } catch (error) {
    if (!drafts.has(id)) drafts.set(id, draft);
    throw error;
  }
}

/** Says by a toast that a draft whose form is gone was not saved. */
export function tellUnsaved(id: string, error: unknown): void {
  const status = error instanceof ApiError ? error.status : undefined;
  // With the image, what was said of it is gone.
  if (status === 404) dropDraft(id);
  // The session is over: its owner finds the draft at the next login, and nobody else can do anything about it.
  else if (status === 401) endanger(id, false);
  else showError(finding.edit.failed, reasonOf(error));
}

/** Saves what its form has left behind, and says how that went. */
export async function saveLeft(id: string): Promise<void> {
  if (!drafts.has(id)) return;
  try {
    await saveDraft(id);
    showSuccess(finding.edit.saved);
  } catch (error) {
    tellUnsaved(id, error);
  }
}
