import { type FormEvent, Suspense, useState } from 'react';
import type { CreatedApiToken, NewApiToken, ProfileProgram } from '../../../server/contract.ts';
import { focusFirstOnMount } from '../../lib/focus.ts';
import { formText } from '../../lib/form-text.ts';
import { mailLanguage, tokens as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { ProofPrompt } from '../factors/lazy-prompt.ts';
import form from '../form.module.css';
import { useForm } from '../use-form.ts';
import { ScopeChoice } from './scope-choice.tsx';
import {
  type ImageLifetime,
  imageLifetimes,
  type Lifetime,
  lifetimeOf,
  lifetimes,
  needsProof,
  payloadOf,
  programOf,
  programsFor,
  type TokenChoice,
} from './token-choice.ts';
import styles from './tokens-box.module.css';
import { useAlbumNames } from './use-album-names.ts';
import type { TokensState } from './use-api-tokens.ts';

interface TokenFormProps {
  create: TokensState['create'];
  onMade: (made: CreatedApiToken, program: ProfileProgram | undefined) => void;
  onCancel: () => void;
}

type Choice = Omit<TokenChoice, 'name'>;

interface ListsProps {
  choice: Choice;
  onChange: (change: Partial<Choice>) => void;
  albumError: string | undefined;
}

/** The lists to choose the program, the album and the ends from. */
function Lists({ choice, onChange, albumError }: ListsProps) {
  const words = texts.form;
  const { albums, isFailed } = useAlbumNames(true);
  return (
    <div className={form.two}>
      <Select
        label={words.program}
        hint={words.programHint}
        name="program"
        value={programOf(choice) ?? ''}
        onChange={({ target }) => onChange({ program: (target.value || undefined) as ProfileProgram | undefined })}
      >
        <option value="">{words.noProgram}</option>
        {programsFor(choice.scopes).map((program) => (
          <option key={program} value={program}>
            {texts.programs[program]}
          </option>
        ))}
      </Select>
      <Select
        label={words.album}
        hint={words.albumHint}
        error={albumError ?? (isFailed ? words.albumsFailed : undefined)}
        name="album"
        value={choice.album ?? ''}
        onChange={({ target }) => onChange({ album: target.value || undefined })}
      >
        <option value="">{words.everything}</option>
        {albums.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        label={words.expires}
        name="expires"
        value={lifetimeOf(choice)}
        onChange={({ target }) => onChange({ lifetime: target.value as Lifetime })}
      >
        {lifetimes.map((lifetime) => (
          <option key={lifetime} value={lifetime}>
            {words.lifetimes[lifetime]}
          </option>
        ))}
      </Select>
      <Select
        label={words.imagesExpire}
        hint={words.imagesExpireHint}
        name="images-expire"
        value={choice.imageLifetime}
        onChange={({ target }) => onChange({ imageLifetime: target.value as ImageLifetime })}
      >
        {imageLifetimes.map((lifetime) => (
          <option key={lifetime} value={lifetime}>
            {words.lifetimes[lifetime]}
          </option>
        ))}
      </Select>
    </div>
  );
}

const nothingChosen: Choice = {
  scopes: ['images:upload'],
  program: undefined,
  album: undefined,
  lifetime: undefined,
  imageLifetime: 'never',
};

export function TokenForm({ create, onMade, onCancel }: TokenFormProps) {
  const words = texts.form;
  const [choice, setChoice] = useState(nothingChosen);
  const [isEmpty, setEmpty] = useState(false);
  /** Waits for the proof of its owner. */
  const [asked, setAsked] = useState<NewApiToken>();
  const change = (changed: Partial<Choice>) => setChoice((before) => ({ ...before, ...changed }));
  const { busy, errors, onSubmit } = useForm({
    fieldOf: (code) => (code === 'NOT_FOUND' ? 'album' : undefined),
    failed: () => words.failed,
    async submit(sent) {
      const token = payloadOf({ ...choice, name: formText(sent, 'name') }, mailLanguage);
      if (needsProof(token)) setAsked(token);
      else onMade(await create(token), programOf(choice));
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    setEmpty(choice.scopes.length === 0);
    if (choice.scopes.length > 0) return onSubmit(event);
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>('[name="scope"]')?.focus();
  };
  return (
    <>
      <form
        ref={focusFirstOnMount}
        className={`${form.form} ${styles.panel}`}
        onSubmit={submit}
        aria-label={words.title}
      >
        <h3 className={styles.heading}>{words.title}</h3>
        <Field
          label={words.name}
          hint={words.nameHint}
          name="name"
          required
          pattern=".*\S.*"
          maxLength={100}
          autoComplete="off"
          dir="auto"
        />
        <ScopeChoice
          chosen={choice.scopes}
          onChoose={(scopes) => {
            setEmpty(false);
            change({ scopes });
          }}
          error={isEmpty ? words.chooseOne : undefined}
        />
        <Lists choice={choice} onChange={change} albumError={errors.album} />
        <div className={form.row}>
          <Button type="submit" variant="line" busy={busy}>
            {words.create}
          </Button>
          <Button variant="ghost" onClick={onCancel}>
            {words.cancel}
          </Button>
        </div>
      </form>
      {asked ? (
        <Suspense>
          <ProofPrompt
            onProof={async (proof) => onMade(await create({ ...asked, proof }), programOf(choice))}
            onClose={() => setAsked(undefined)}
          >
            <p>{words.proof}</p>
          </ProofPrompt>
        </Suspense>
      ) : null}
    </>
  );
}
