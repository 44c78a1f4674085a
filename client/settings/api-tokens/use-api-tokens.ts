import type { ApiToken, CreatedApiToken, NewApiToken } from '../../../server/contract.ts';
import { createToken, endToken, listTokens } from '../../api/account/api-tokens.ts';
import { tokensKey } from '../../query/keys.ts';
import { changing, queries } from '../../query/queries.ts';
import type { Query } from '../../query/query.ts';
import { useQuery } from '../../query/use-query.ts';

export type Tokens = 'loading' | 'failed' | readonly ApiToken[];

const tokensQuery: Query<readonly ApiToken[]> = { key: tokensKey, load: listTokens };

/** In the order of the server: a token that was never used follows the used ones. */
function withNew(list: readonly ApiToken[], { token }: CreatedApiToken): readonly ApiToken[] {
  const used = list.filter(({ used_at }) => used_at !== null);
  return [...used, token, ...list.slice(used.length)];
}

/** The account's API tokens. `reload` keeps the shown ones meanwhile; `create` and `end` reject if the server refuses. */
export function useApiTokens() {
  const { data, error, fetching } = useQuery(tokensQuery);
  const tokens: Tokens = data ?? (error === undefined ? 'loading' : 'failed');
  return {
    tokens,
    busy: fetching,
    reload: () => void queries.fetch(tokensQuery),
    create: (token: NewApiToken): Promise<CreatedApiToken> =>
      changing<readonly ApiToken[], CreatedApiToken>(tokensKey, () => createToken(token), withNew),
    end: (id: string): Promise<void> =>
      changing<readonly ApiToken[], void>(
        tokensKey,
        () => endToken(id),
        (list) => list.filter((token) => token.id !== id),
      ),
  };
}

export type TokensState = ReturnType<typeof useApiTokens>;
