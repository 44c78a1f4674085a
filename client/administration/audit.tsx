import { type FormEvent, useState } from 'react';
import type { AuditEntry } from '../../server/contract.ts';
import { type AuditFilter, exportAudit } from '../api/administration.ts';
import { formText } from '../lib/form-text.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { saveBytes } from '../lib/save-bytes.ts';
import { formatMoment } from '../text/format-moment.ts';
import { administration as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Field } from '../ui/fields/field.tsx';
import { Select } from '../ui/fields/select.tsx';
import { actorName } from './actor-name.ts';
import styles from './administration.module.css';
import { detailLines } from './audit-details.ts';
import { Loaded } from './loaded.tsx';
import { auditQuery } from './queries.ts';
import { run } from './run.ts';

const nameOf = (action: string): string => texts.audit.actions[action] ?? action;

/** The day after it is the last that the server takes. */
const LAST_DAY = '9999-12-30';

/** The days of the form are those of the reader's time zone, the last one included; the server's times are UTC. */
const momentOf = {
  from: (day: string): string => new Date(`${day}T00:00`).toISOString(),
  until(day: string): string {
    const next = new Date(`${day}T00:00`);
    next.setDate(next.getDate() + 1);
    return next.toISOString();
  },
};

function Row({ entry }: { entry: AuditEntry }) {
  const { audit } = texts;
  const { actor, account, address } = entry;
  return (
    <li className={styles.entry}>
      <time dateTime={entry.at}>{formatMoment(entry.at)}</time>
      <div className={styles.words}>
        <b>{nameOf(entry.action)}</b>
        <p className={styles.note}>
          <bdi>{actor === '' ? audit.stranger : actorName(actor)}</bdi>
          {account === null || account === actor ? null : <bdi>{audit.concerns(account)}</bdi>}
          {address === null ? null : <bdi>{address}</bdi>}
          {detailLines(entry).map((line) => (
            <bdi key={line}>{line}</bdi>
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
    const given = ['action', 'account', 'from', 'until'].flatMap((name) => {
      const value = formText(form, name).trim();
      if (value === '') return [];
      return [[name, name === 'from' || name === 'until' ? momentOf[name](value) : value] as const];
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
        <Field label={audit.person} name="account" maxLength={320} height="small" />
        <Field label={audit.from} name="from" type="date" max={LAST_DAY} height="small" />
        <Field label={audit.until} name="until" type="date" max={LAST_DAY} height="small" />
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
