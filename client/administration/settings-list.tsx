import type { Setting } from '../../server/contract.ts';
import { formatBytes } from '../text/format-bytes.ts';
import { formatMilliseconds } from '../text/format-duration.ts';
import { administration as texts } from '../text/words.ts';
import styles from './administration.module.css';
import { Loaded } from './loaded.tsx';
import { settingsQuery } from './queries.ts';

const formats = { bytes: formatBytes, milliseconds: formatMilliseconds };

/** @returns undefined for what is not a number, such as `off` */
function formatted({ value, unit }: Setting): string | undefined {
  return unit === null || value === null || !/^\d/.test(value) ? undefined : formats[unit](Number(value));
}

function Row({ setting }: { setting: Setting }) {
  const { variables } = texts;
  const { name, value, source } = setting;
  const text = formatted(setting);
  return (
    <div>
      <dt>
        <bdi dir="ltr">{name}</bdi>
      </dt>
      <dd>{value === null ? variables.unset : (text ?? <bdi dir="ltr">{value}</bdi>)}</dd>
      {value === null ? null : <dd className={styles.quiet}>{variables.sources[source]}</dd>}
    </div>
  );
}

/** The variables of the server as they are. */
export function SettingsList() {
  return (
    <>
      <p className={styles.quiet}>{texts.variables.about}</p>
      <Loaded query={settingsQuery}>
        {(settings) => (
          <dl className={styles.variables}>
            {settings.map((setting) => (
              <Row key={setting.name} setting={setting} />
            ))}
          </dl>
        )}
      </Loaded>
    </>
  );
}
