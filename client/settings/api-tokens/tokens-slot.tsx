import { lazy, Suspense } from 'react';
import { withWords } from '../../text/language.ts';
import { tokensWords } from '../../text/tokens-words.ts';
import { settings as texts } from '../../text/words.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Box } from '../box.tsx';
import { Waiting } from '../waiting.tsx';
import type { TokensState } from './use-api-tokens.ts';

/** In place of a script that did not load. */
function Failed() {
  return (
    <Box title={texts.tokens.title} span="full">
      <LoadError
        size="line"
        text={texts.tokens.loadFailed}
        retry={texts.retry}
        busy={false}
        onRetry={() => window.location.reload()}
      />
    </Box>
  );
}

const TokensBox = lazy(() =>
  withWords([tokensWords], import('./tokens-box.tsx')).then(
    ({ TokensBox }) => ({ default: TokensBox }),
    () => ({ default: Failed }),
  ),
);

/** The API tokens. Their script and their words load after the page. */
export function TokensSlot(state: TokensState) {
  const waiting = (
    <Box title={texts.tokens.title} span="full">
      <Waiting lines={2} text={texts.tokens.loading} />
    </Box>
  );
  return (
    <Suspense fallback={waiting}>
      <TokensBox {...state} />
    </Suspense>
  );
}
