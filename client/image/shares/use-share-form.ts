import { type FormEvent, useRef, useState } from 'react';
import type { Share } from '../../../server/contract.ts';
import { isPasswordRefusal } from '../../api/account/password-refusals.ts';
import { ApiError, reasonOf } from '../../api/api-error.ts';
import { useBusy } from '../../lib/hooks/use-busy.ts';
import { preview, links as texts } from '../../text/words.ts';
import { missingIn, type ShareChoice } from './share-choice.ts';

/** Names of the fields, which also say what a refusal is about. */
export type FieldName = 'name' | 'password' | 'end' | 'short-name' | 'guessable';

const missingFields = { length: 'short-name', consent: 'guessable' } as const;

function fieldOf(code: string, { password }: ShareChoice): FieldName | undefined {
  if (code.includes('NAME_') || code === 'INVALID_NAME') return 'short-name';
  return password !== '' && isPasswordRefusal(code) ? 'password' : undefined;
}

interface Refusal {
  /** Undefined for the whole form. */
  readonly field: FieldName | undefined;
  readonly text: string;
}

export interface ShareFormParts {
  initial: ShareChoice;
  /** The share that is edited. */
  before?: Share;
  /** Rejects if the server refuses; the form stays open then. */
  onSave: (choice: ShareChoice) => Promise<unknown>;
}

/** Keeps what is chosen, and sends it. */
export function useShareForm({ initial, before, onSave }: ShareFormParts) {
  const form = useRef<HTMLFormElement>(null);
  const [choice, setChoice] = useState(initial);
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, start] = useBusy();

  function refuse(field: FieldName | undefined, text: string): void {
    setRefusal({ field, text });
    if (field !== undefined) form.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();
  }
  async function save(): Promise<void> {
    setRefusal(undefined);
    try {
      await onSave(choice);
    } catch (error) {
      refuse(error instanceof ApiError ? fieldOf(error.code, choice) : undefined, reasonOf(error) ?? texts.failed);
    }
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    const missing = missingIn(choice, before, Date.now());
    if (missing === 'end') refuse('end', preview.expiry.outOfRange);
    else if (missing !== undefined) refuse(missingFields[missing], texts.shares.form.missing[missing]);
    else void start(save);
  }
  const change = (changed: Partial<ShareChoice>): void => {
    setChoice({ ...choice, ...changed });
    setRefusal(undefined);
  };
  return { form, choice, change, refusal, busy, submit };
}
