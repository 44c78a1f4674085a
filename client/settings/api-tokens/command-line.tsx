import { commandLineChecksum } from '../../api/account/api-tokens.ts';
import { commandLineKey } from '../../query/keys.ts';
import type { Query } from '../../query/query.ts';
import { useQuery } from '../../query/use-query.ts';
import { tokens as texts } from '../../text/words.ts';
import styles from './steps.module.css';

const checksumQuery: Query<string> = { key: commandLineKey, load: commandLineChecksum };

/** A link to the command line client, and its SHA-256. */
export function CommandLine() {
  const { data } = useQuery(checksumQuery);
  return (
    <div className={styles.steps}>
      <p>
        <a href="/cli/gallery.mjs" download>
          {texts.made.download('gallery.mjs')}
        </a>
      </p>
      {data === undefined ? null : (
        <p>
          <bdi>SHA-256</bdi> <code dir="ltr">{data}</code>
        </p>
      )}
    </div>
  );
}
