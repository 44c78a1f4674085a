import { type FormEvent, useState } from 'react';
import type { AuditEntry } from '../../server/contract.ts';
import { type AuditFilter, exportAudit } from '../api/administration.ts';
import { formText } from '../lib/form-text.ts';
import { saveBytes } from '../lib/save-bytes.ts';
import { useBusy } from '../lib/use-busy.ts';
import { formatMoment } from '../text/format-moment.ts';
import { administration as texts } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import styles from './administration.module.css';
import { Loaded } from './loaded.tsx';
import { auditQuery } from './queries.ts';
import { run } from './run.ts';

const nameOf = (action: string): string => texts.audit.actions[action] ?? action;

function Row({ entry }: { entry: AuditEntry }) {
  const { audit } = texts;
  const { actor, account, address, details } = entry;
  const facts = Object.entries(details).filter(([, value]) => value !== null && value !== false);
  return (
    <li className={styles.entry}>
      <time dateTime={entry.at}>{formatMoment(entry.at)}</time>
      <div className={styles.words}>
        <b>{nameOf(entry.action)}</b>
        <p className={styles.note}>
          <bdi>{actor === '' ? audit.stranger : actor}</bdi>
          {account === null || account === actor ? null : <bdi>{audit.concerns(account)}</bdi>}
          {address === null ? null : <bdi>{address}</bdi>}
          {facts.map(([name, value]) => (
            <bdi key={name}>{`${name}: ${value}`}</bdi>
          ))}
        </p>
      </div>
    </li>
  );
}

/** What happened on the server, the newest first. */
export function Audit() {
  const { audit } = texts;
  const [filter, setFilter] = useState<AuditFilter>({});
  /** `before` of each page so far; the first page has none. */
  const [path, setPath] = useState<readonly string[]>([]);
  const [busy, start] = useBusy();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = ['action', 'from', 'until'].flatMap((name) => {
      const value = formText(form, name);
      return value === '' ? [] : [[name, value] as const];
    });
    setFilter(Object.fromEntries(given));
    setPath([]);
  };
  const download = async (): Promise<void> =>
    void (await run(async () => {
      saveBytes(await exportAudit(filter), 'audit.jsonl');
      return audit.exported;
    }));
  return (
    <>
      <p className={styles.quiet}>{audit.about}</p>
      <form className={styles.filters} onSubmit={submit}>
        <Select label={audit.action} name="action" height="small">
          <option value="">{audit.everything}</option>
          {Object.entries(audit.actions).map(([action, name]) => (
            <option key={action} value={action}>
              {name}
            </option>
          ))}
        </Select>
        <Field label={audit.from} name="from" type="date" height="small" />
        <Field label={audit.until} name="until" type="date" height="small" />
        <Button type="submit" variant="line">
          {audit.filter}
        </Button>
        <Button variant="ghost" busy={busy} onClick={() => void start(download)}>
          {audit.download}
        </Button>
      </form>
      <Loaded query={auditQuery(filter, path.at(-1))}>
        {({ entries, next }) => (
          <>
            {entries.length === 0 ? <p className={styles.quiet}>{audit.empty}</p> : null}
            <ol className={styles.list}>
              {entries.map((entry) => (
                <Row key={entry.id} entry={entry} />
              ))}
            </ol>
            <div className={styles.pager}>
              {path.length === 0 ? null : (
                <Button variant="line" onClick={() => setPath(path.slice(0, -1))}>
                  {texts.newer}
                </Button>
              )}
              {next === null ? null : (
                <Button variant="line" onClick={() => setPath([...path, next])}>
                  {texts.older}
                </Button>
              )}
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}
