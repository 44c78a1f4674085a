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

const LaterBoxes = lazy(() =>
  withWords([tokensWords], import('../later-boxes.tsx')).then(
    ({ LaterBoxes }) => ({ default: LaterBoxes }),
    () => ({ default: Failed }),
  ),
);

/** The API tokens, and the boxes after them. Their scripts and their words load after the page. */
export function TokensSlot(state: TokensState) {
  const waiting = (
    <Box title={texts.tokens.title} span="full">
      <Waiting lines={2} text={texts.tokens.loading} />
    </Box>
  );
  return (
    <Suspense fallback={waiting}>
      <LaterBoxes {...state} />
    </Suspense>
  );
}
