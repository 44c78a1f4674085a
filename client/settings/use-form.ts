import { type FormEvent, useState } from 'react';
import { ApiError, reasonOf } from '../api/api-error.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { settings as texts } from '../text/words.ts';
import { showError } from '../ui/toasts/toast.ts';

export type FieldErrors = Readonly<Record<string, string | undefined>>;

interface FormParts {
  /** The name of the field that an error code is about; undefined if none. */
  fieldOf: (code: string, form: FormData) => string | undefined;
  /** The toast for other failures. */
  failed?: () => string;
  submit: (form: FormData, element: HTMLFormElement) => Promise<void>;
}

/** A form that shows errors under their fields and keeps the input. */
export function useForm({ fieldOf, failed = () => texts.failed, submit }: FormParts) {
  const [busy, start] = useBusy();
  const [errors, setErrors] = useState<FieldErrors>({});

  function refuse(error: unknown, form: FormData, element: HTMLFormElement) {
    const reason = reasonOf(error);
    const field = error instanceof ApiError ? fieldOf(error.code, form) : undefined;
    if (field === undefined || reason === undefined) return showError(failed(), reason);
    setErrors({ [field]: reason });
    const input = element.elements.namedItem(field);
    if (input instanceof HTMLElement) input.focus();
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    void start(async () => {
      // The errors are those of the last try.
      setErrors({});
      try {
        await submit(form, element);
      } catch (error) {
        refuse(error, form, element);
      }
    });
  }

  return { busy, errors, onSubmit };
}
