import { administration as texts } from '../text/words.ts';
import styles from './administration.module.css';
import { Loaded } from './loaded.tsx';
import { settingsQuery } from './queries.ts';

/** The variables of the server as they are. */
export function SettingsList() {
  const { variables } = texts;
  return (
    <>
      <p className={styles.quiet}>{variables.about}</p>
      <Loaded query={settingsQuery}>
        {(settings) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it on narrow screens
          <section className={styles.scroll} aria-label={variables.all} tabIndex={0}>
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">{variables.name}</th>
                  <th scope="col">{variables.value}</th>
                  <th scope="col">{variables.source}</th>
                </tr>
              </thead>
              <tbody>
                {settings.map(({ name, value, source }) => (
                  <tr key={name}>
                    <th scope="row" dir="ltr">
                      {name}
                    </th>
                    <td>{value === null ? variables.unset : <bdi dir="ltr">{value}</bdi>}</td>
                    <td>{variables.sources[source]}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Loaded>
    </>
  );
}
