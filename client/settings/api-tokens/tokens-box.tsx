import { useRef, useState } from 'react';
import type { ApiToken, CreatedApiToken, ProfileProgram } from '../../../server/contract.ts';
import { reasonOf } from '../../api/api-error.ts';
import { focusAfter } from '../../lib/focus.ts';
import { useBusy } from '../../lib/hooks/use-busy.ts';
import { settings, tokens as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { showError, showSuccess } from '../../ui/toasts/toast.ts';
import { Box } from '../box.tsx';
import form from '../form.module.css';
import rows from '../rows.module.css';
import { Waiting } from '../waiting.tsx';
import { EndQuestion } from './end-question.tsx';
import { MadeToken } from './made-token.tsx';
import { TokenForm } from './token-form.tsx';
import { TokenRow } from './token-row.tsx';
import { useAlbumNames } from './use-album-names.ts';
import type { TokensState } from './use-api-tokens.ts';

type ListProps = Pick<TokensState, 'end' | 'reload'> & { list: readonly ApiToken[] };

function TokenList({ list, end, reload }: ListProps) {
  const [busy, start] = useBusy();
  const [asked, setAsked] = useState<ApiToken>();
  const place = useRef<HTMLUListElement>(null);
  const { albums } = useAlbumNames(list.some(({ album }) => album !== null));

  const endOne = ({ id }: ApiToken) =>
    start(async () => {
      const box = place.current?.closest<HTMLElement>('section');
      try {
        await end(id);
        // The pressed button is gone, and with the last token the list.
        focusAfter(
          () => setAsked(undefined),
          () => place.current ?? box,
        );
        showSuccess(texts.ended);
      } catch (error) {
        setAsked(undefined);
        showError(texts.endFailed, reasonOf(error));
        // The token may have ended elsewhere.
        reload();
      }
    });

  return (
    <>
      {list.length === 0 ? <p>{texts.empty}</p> : null}
      {list.length === 0 ? null : (
        <ul className={rows.list} ref={place} tabIndex={-1} aria-label={settings.tokens.title}>
          {list.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              album={albums.find(({ id }) => id === token.album)?.name}
              onEnd={() => setAsked(token)}
            />
          ))}
        </ul>
      )}
      {asked ? (
        <EndQuestion
          words={texts.confirmEnd}
          name={asked.name}
          busy={busy}
          onEnd={() => endOne(asked)}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
    </>
  );
}

/** What is below the list: a button, then the form, then the new token. */
type Step = 'idle' | 'form' | { made: CreatedApiToken; program: ProfileProgram | undefined };

function NewToken({ create }: Pick<TokensState, 'create'>) {
  const [step, setStep] = useState<Step>('idle');
  const opener = useRef<HTMLButtonElement>(null);
  const close = () =>
    focusAfter(
      () => setStep('idle'),
      () => opener.current,
    );
  if (step === 'form') {
    return <TokenForm create={create} onMade={(made, program) => setStep({ made, program })} onCancel={close} />;
  }
  if (step !== 'idle') return <MadeToken {...step} onClose={close} />;
  return (
    <div className={form.row}>
      <Button ref={opener} variant="line" onClick={() => setStep('form')}>
        {texts.make}
      </Button>
    </div>
  );
}

/** The account's API tokens: lists, creates and ends them. */
export default function TokensBox({ tokens, busy, reload, create, end }: TokensState) {
  const { title, loading, loadFailed } = settings.tokens;
  return (
    <Box title={title} span="full">
      <p>{texts.note}</p>
      {tokens === 'loading' ? <Waiting lines={2} text={loading} /> : null}
      {tokens === 'failed' ? (
        <LoadError size="line" text={loadFailed} retry={settings.retry} busy={busy} onRetry={reload} />
      ) : null}
      {typeof tokens === 'string' ? null : <TokenList list={tokens} end={end} reload={reload} />}
      {tokens === 'loading' ? null : <NewToken create={create} />}
    </Box>
  );
}
