import { TokensBox } from './api-tokens/tokens-box.tsx';
import type { TokensState } from './api-tokens/use-api-tokens.ts';
import { IdentitiesSlot } from './provider/identities-slot.tsx';

/** The boxes whose scripts load after the page. */
export function LaterBoxes(tokens: TokensState) {
  return (
    <>
      <TokensBox {...tokens} />
      <IdentitiesSlot />
    </>
  );
}
