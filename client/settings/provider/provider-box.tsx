import { Suspense, useRef, useState } from 'react';
import type { Identity, IdentityList } from '../../../server/contract.ts';
import { startLink } from '../../api/provider/identities.ts';
import { focusAfter } from '../../lib/focus.ts';
import { withWords } from '../../text/language.ts';
import { providerWords } from '../../text/provider-words.ts';
import { provider as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { showError, showSuccess } from '../../ui/toasts/toast.ts';
import { EndQuestion } from '../api-tokens/end-question.tsx';
import { Box } from '../box.tsx';
import { ProofPrompt } from '../factors/lazy-prompt.ts';
import { forgetPage, returnToPage } from '../factors/proof-page.ts';
import form from '../form.module.css';
import { ListedRow, Moment } from '../listed-row.tsx';
import rows from '../rows.module.css';
import { reloadIdentities, unlink } from './use-identities.ts';

const problemIn = (code: string): string => (texts.problems as Record<string, string>)[code] ?? texts.problems.failed;

/** Loads the words, and shows what was done at the provider: `#provider-linked`, `#provider-proved`, or `#provider-problem=<code>`. */
export async function arrive(): Promise<void> {
  await withWords([providerWords], Promise.resolve());
  const [, news, problem] = /^#provider-(linked|proved|problem=([\w-]+))$/.exec(location.hash) ?? [];
  if (news === undefined) return;
  history.replaceState({ ...history.state, problem }, '', location.pathname);
  // The box is far below the top of the page.
  if (problem !== undefined) {
    forgetPage();
    showError(problemIn(problem));
  } else if (news === 'linked') showSuccess(texts.box.linked);
  else {
    showSuccess(texts.box.proved, texts.box.provedHint);
    returnToPage();
  }
}

function IdentityRow({ identity, onUnlink }: { identity: Identity; onUnlink: () => void }) {
  const { label, created_at, used_at } = identity;
  const { box } = texts;
  return (
    <ListedRow
      name={label}
      facts={
        <>
          <Moment label={box.linkedAt} at={created_at} />
          <Moment label={box.used} at={used_at} />
        </>
      }
    >
      <Button variant="ghost" className={rows.end} aria-label={box.unlinkNamed(label)} onClick={onUnlink}>
        {box.unlink}
      </Button>
    </ListedRow>
  );
}

function Identities({ list }: { list: readonly Identity[] }) {
  const [asked, setAsked] = useState<Identity>();
  /** Its owner wants to unlink it, and has to prove who they are. */
  const [confirmed, setConfirmed] = useState<Identity>();
  const place = useRef<HTMLUListElement>(null);
  const { box } = texts;

  const unlinkOne = async (identity: Identity, proof: string) => {
    const section = place.current?.closest<HTMLElement>('section');
    await unlink(identity, proof);
    // The pressed button is gone, and with the last identity the list.
    focusAfter(
      () => setConfirmed(undefined),
      () => place.current ?? section,
    );
    showSuccess(box.unlinked);
  };

  if (list.length === 0) return <p>{box.empty}</p>;
  return (
    <>
      <ul className={rows.list} ref={place} tabIndex={-1} aria-label={box.title}>
        {list.map((identity) => (
          <IdentityRow key={identity.id} identity={identity} onUnlink={() => setAsked(identity)} />
        ))}
      </ul>
      {asked ? (
        <EndQuestion
          words={box.confirm}
          name={asked.label}
          busy={false}
          onEnd={() => {
            setConfirmed(asked);
            setAsked(undefined);
          }}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
      <Suspense>
        {confirmed ? (
          <ProofPrompt
            onProof={(proof) => unlinkOne(confirmed, proof)}
            onClose={() => {
              setConfirmed(undefined);
              reloadIdentities();
            }}
          />
        ) : null}
      </Suspense>
    </>
  );
}

/** The identities at the sign-in provider by which the account logs in: lists, links and unlinks them. */
export function ProviderBox({ identities, can_link }: IdentityList) {
  const [isLinking, setLinking] = useState(false);
  const [problem] = useState<string | undefined>(() => history.state?.problem);

  return (
    <Box title={texts.box.title} span="full">
      <p>{texts.box.note}</p>
      {problem === undefined ? null : <p>{problemIn(problem)}</p>}
      <Identities list={identities} />
      {can_link ? (
        <div className={form.row}>
          <Button variant="line" onClick={() => setLinking(true)}>
            {texts.box.link}
          </Button>
        </div>
      ) : null}
      <Suspense>
        {isLinking ? (
          <ProofPrompt
            onProof={async (proof) => location.assign(await startLink(proof))}
            onClose={() => setLinking(false)}
          />
        ) : null}
      </Suspense>
    </Box>
  );
}
