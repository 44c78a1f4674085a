import type { WaysIn } from '../../server/contract.ts';
import { waysIn as texts } from '../text/words.ts';

const kinds = ['api_tokens', 'passkeys', 'identities', 'collect_links'] as const;

/** What opens an account after a new password, for its owner to recognize what is not theirs. */
export function WaysInList({ left }: { left: WaysIn }) {
  const named = kinds.flatMap((kind) => (left[kind].length === 0 ? [] : [{ kind, names: left[kind] }]));
  if (named.length === 0 && !left.authenticator_app) return <p role="status">{texts.none}</p>;
  return (
    <div role="status">
      <p>{texts.left}</p>
      <ul>
        {named.map(({ kind, names }) => (
          <li key={kind}>
            {texts.kinds[kind]}
            {': '}
            {names.map((name, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names are not unique, and the list never changes
              <span key={index}>
                {index === 0 ? null : ', '}
                <bdi>{name}</bdi>
              </span>
            ))}
          </li>
        ))}
        {left.authenticator_app ? <li>{texts.app}</li> : null}
      </ul>
      <p>{texts.check}</p>
    </div>
  );
}
