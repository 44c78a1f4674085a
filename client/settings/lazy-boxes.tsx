/** Boxes whose scripts and words load after the page. */
import { type ReactNode, Suspense } from 'react';
import { optionalPart } from '../lib/lazy-part.ts';
import { factorsWords } from '../text/factors-words.ts';
import { withWords } from '../text/language.ts';
import { tokensWords } from '../text/tokens-words.ts';
import { settings as texts } from '../text/words.ts';
import { LoadError } from '../ui/page/load-error.tsx';
import type { TokensState } from './api-tokens/use-api-tokens.ts';
import { Box } from './box.tsx';
import type { SessionsBoxProps } from './sessions/sessions-box.tsx';
import { Waiting } from './waiting.tsx';

interface SlotProps {
  words: { readonly title: string; readonly loading: string; readonly loadFailed: string };
  span?: 'wide' | 'full';
}

/** In place of a script that did not load. */
function Failed({ words, span = 'full' }: SlotProps) {
  return (
    <Box title={words.title} span={span}>
      <LoadError
        size="line"
        text={words.loadFailed}
        retry={texts.retry}
        busy={false}
        onRetry={() => window.location.reload()}
      />
    </Box>
  );
}

type Loaded<Props> = Promise<{ default: (props: Props) => ReactNode }>;

const orFailed = <Props extends object>(loaded: Loaded<Props>): Loaded<Props & SlotProps> =>
  loaded.catch(() => ({ default: Failed }));

const TokensBox = optionalPart(() => orFailed(withWords([tokensWords], import('./api-tokens/tokens-box.tsx'))));
const Identities = optionalPart(() =>
  import('./provider/identities-slot.tsx').then(
    ({ IdentitiesSlot }) => ({ default: IdentitiesSlot }),
    () => ({ default: () => null }),
  ),
);
const SessionsBox = optionalPart(() => orFailed(import('./sessions/sessions-box.tsx')));
const FactorsBox = optionalPart(() => orFailed(withWords([factorsWords], import('./factors/factors-box.tsx'))));

function Slot({ words, span = 'full', children }: SlotProps & { children: ReactNode }) {
  const waiting = (
    <Box title={words.title} span={span}>
      <Waiting lines={2} text={words.loading} />
    </Box>
  );
  return <Suspense fallback={waiting}>{children}</Suspense>;
}

export const SessionsSlot = (state: SessionsBoxProps) => (
  <Slot words={texts.sessions} span="wide">
    <SessionsBox {...state} words={texts.sessions} span="wide" />
  </Slot>
);

export const TokensSlot = (state: TokensState) => (
  <Slot words={texts.tokens}>
    <TokensBox {...state} words={texts.tokens} />
  </Slot>
);

/** @param mustSetUp whether the account can do nothing else before */
export const FactorsSlot = (props: { mustSetUp: boolean }) => (
  <Slot words={texts.factors}>
    <FactorsBox {...props} words={texts.factors} />
  </Slot>
);

/** Shows nothing where there is no sign-in provider. */
export const IdentitiesSlot = () => (
  <Suspense>
    <Identities />
  </Suspense>
);
