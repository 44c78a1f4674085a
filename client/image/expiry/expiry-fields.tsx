import { type Ref, useState } from 'react';
import { formatMoment } from '../../text/format-moment.ts';
import { preview } from '../../text/words.ts';
import { Field } from '../../ui/fields/field.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { type Choice, type ChosenEnd, durations, momentOf } from './expiry-choice.ts';

const choices: readonly Choice[] = ['never', ...durations, 'date'];

interface ExpiryFieldsProps {
  end: ChosenEnd;
  onChange: (change: Partial<ChosenEnd>) => void;
  /** What will happen without an end, and at the end. */
  words: { forever: string; until: (moment: string) => string };
  /** Why the date is refused. */
  error: string | undefined;
  height?: 'normal' | 'small';
  first?: Ref<HTMLSelectElement>;
  date?: Ref<HTMLInputElement>;
}

/** The choice of an end: never, a time from now, or a date. */
export function ExpiryFields({ end, onChange, words, error, height = 'normal', first, date }: ExpiryFieldsProps) {
  const { expiry } = preview;
  const [opened] = useState(Date.now);
  const moment = momentOf(end, opened);
  const isDate = end.choice === 'date';
  const dated = (at: number) => (Number.isNaN(at) ? undefined : words.until(formatMoment(new Date(at).toISOString())));
  const outcome = moment === null ? words.forever : dated(moment);
  return (
    <>
      <Select
        ref={first}
        label={expiry.label}
        height={height}
        hint={isDate ? undefined : outcome}
        value={end.choice}
        onChange={({ target }) => onChange({ choice: target.value as Choice })}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {expiry.choices[choice]}
          </option>
        ))}
      </Select>
      {isDate ? (
        <Field
          ref={date}
          type="datetime-local"
          name="end"
          label={expiry.date}
          height={height}
          hint={outcome}
          error={error}
          value={end.date}
          onChange={({ target }) => onChange({ date: target.value })}
        />
      ) : null}
    </>
  );
}
