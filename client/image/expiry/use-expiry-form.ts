import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Image } from '../../../server/contract.ts';
import { reasonOf } from '../../api/api-error.ts';
import { preview } from '../../text/words.ts';
import { changeExpiry, reportFailure } from './change-expiry.ts';
import { changeOf, currentEnd, isSame } from './expiry-choice.ts';

/** What is chosen in the form, and the call that saves it. `refusal` is empty if there is none. */
export function useExpiryForm(image: Image, onClose: () => void) {
  const [before] = useState(() => currentEnd(image.expires_at, Date.now()));
  const [chosen, setChosen] = useState(before);
  const [refusal, setRefusal] = useState('');
  const [isOutOfRange, setOutOfRange] = useState(false);
  const [busy, setBusy] = useState(false);
  const dateField = useRef<HTMLInputElement>(null);
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);

  function choose(change: Partial<typeof chosen>): void {
    setChosen({ ...chosen, ...change });
    setRefusal('');
    setOutOfRange(false);
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    if (isSame(before, chosen)) return onClose();
    const change = changeOf(chosen, Date.now());
    if (change === undefined) {
      setOutOfRange(true);
      return dateField.current?.focus();
    }
    setBusy(true);
    setRefusal('');
    try {
      await changeExpiry(image, change);
      if (isHere.current) onClose();
    } catch (thrown) {
      if (!isHere.current) return reportFailure(thrown);
      setRefusal(reasonOf(thrown) ?? preview.expiry.failed);
      setBusy(false);
    }
  }

  return { chosen, choose, submit, refusal, isOutOfRange, busy, dateField };
}
