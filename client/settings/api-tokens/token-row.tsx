import type { ApiToken } from '../../../server/contract.ts';
import { formatDuration } from '../../text/format-duration.ts';
import { separator, tokens as texts } from '../../text/words.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ListedRow, Moment } from '../listed-row.tsx';
import styles from '../rows.module.css';

/** What a token may do, in words. */
const abilities = ({ scopes }: ApiToken): string =>
  scopes.every((scope) => scope === 'images:upload')
    ? texts.uploadOnly
    : scopes.map((scope) => texts.scopes[scope]).join(separator);

function Use({ used_at, used_by }: Pick<ApiToken, 'used_at' | 'used_by'>) {
  if (used_at === null) return <>{texts.facts.unused}</>;
  return (
    <>
      <Moment label={texts.facts.used} at={used_at} /> {used_by === null ? null : texts.facts.by(used_by)}
    </>
  );
}

interface TokenRowProps {
  token: ApiToken;
  /** The name of its album; undefined if it has none, or until the albums are loaded. */
  album: string | undefined;
  onEnd: () => void;
}

export function TokenRow({ token, album, onEnd }: TokenRowProps) {
  const { name, start, created_at, expires_at, images_expire_in } = token;
  const { facts } = texts;
  return (
    <ListedRow
      name={name}
      about={
        <>
          <p>{abilities(token)}</p>
          {token.album === null ? null : (
            <p>
              {album === undefined ? facts.oneAlbum : facts.album} <bdi>{album}</bdi>
            </p>
          )}
        </>
      }
      facts={
        <>
          <span>
            {facts.start} <code dir="ltr">{start}</code>
          </span>
          <Moment label={facts.created} at={created_at} />
          {expires_at === null ? <span>{facts.never}</span> : <Moment label={facts.expires} at={expires_at} />}
          {images_expire_in === null ? null : <span>{facts.imagesExpire(formatDuration(images_expire_in))}</span>}
          <span>
            <Use {...token} />
          </span>
        </>
      }
    >
      <Button variant="ghost" className={styles.end} aria-label={texts.endNamed(name)} onClick={onEnd}>
        {texts.end}
      </Button>
    </ListedRow>
  );
}
