import { administration as texts } from '../text/words.ts';
import { Field } from '../ui/fields/field.tsx';

const GIGABYTE = 1_000_000_000;

interface QuotaFieldsProps {
  images: number | null;
  bytes: number | null;
}

/** The limits of an account; empty for those of the server. */
export function QuotaFields({ images, bytes }: QuotaFieldsProps) {
  const { quota } = texts;
  return (
    <>
      <Field
        label={quota.gigabytes}
        name="gigabytes"
        type="number"
        min={0}
        max={1_000_000}
        step="any"
        hint={quota.hint}
        defaultValue={bytes === null ? '' : bytes / GIGABYTE}
      />
      <Field
        label={quota.images}
        name="images"
        type="number"
        min={0}
        max={2_000_000_000}
        hint={quota.hint}
        defaultValue={images ?? ''}
      />
    </>
  );
}

const numberIn = (form: FormData, name: string): number | null => {
  const text = String(form.get(name) ?? '').trim();
  return text === '' ? null : Number(text);
};

/** What the fields contain; null for the limit of the server. */
export function quotaIn(form: FormData): { quota_images: number | null; quota_bytes: number | null } {
  const gigabytes = numberIn(form, 'gigabytes');
  const bytes = gigabytes === null ? null : Math.round(gigabytes * GIGABYTE);
  return { quota_images: numberIn(form, 'images'), quota_bytes: bytes };
}
