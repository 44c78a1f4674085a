import type { AdminJob, AdminOverview, JobFacts } from '../../server/contract.ts';
import { startJob } from '../api/administration.ts';
import { useBusy } from '../lib/hooks/use-busy.ts';
import { formatBytes } from '../text/format-bytes.ts';
import { formatMoment } from '../text/format-moment.ts';
import { administration as texts } from '../text/words.ts';
import { Button } from '../ui/buttons/button.tsx';
import { ProgressBar } from '../ui/progress/progress-bar.tsx';
import { actorName } from './actor-name.ts';
import styles from './administration.module.css';
import { Loaded } from './loaded.tsx';
import { overviewQuery } from './queries.ts';
import { run } from './run.ts';

function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const isOpen = (job: AdminJob): boolean => job.state === 'waiting' || job.state === 'running';

function FindingItem({ finding }: { finding: AdminJob['findings'][number] }) {
  const { found, repaired, examples } = finding;
  const words = texts.jobs.finding(finding.kind);
  const { title, todo } = words ?? finding;
  return (
    <li {...(words ? {} : { lang: 'en', dir: 'ltr' })}>
      <b>{`${title}: ${found}`}</b>
      {examples.length === 0 ? null : (
        <ul lang="en" dir="ltr">
          {examples.map((example) => (
            <li key={example}>{example}</li>
          ))}
          {found > examples.length ? <li>{`+ ${found - examples.length}`}</li> : null}
        </ul>
      )}
      {repaired === found ? null : <p>{todo}</p>}
    </li>
  );
}

const inWords = ({ images, files, healthy = false, accounts = 0, bytes = 0, added_bytes: added = 0 }: JobFacts) => ({
  ...{ images, files, healthy, accounts },
  ...{ size: formatBytes(bytes), added: formatBytes(added) },
});

function JobState({ job }: { job: AdminJob }) {
  const { jobs } = texts;
  const { total, done, step, findings, summary, facts } = job;
  if (isOpen(job)) {
    const percent = total === null || total === 0 ? 0 : Math.min(100, Math.round((done / total) * 100));
    return (
      <>
        <p role="status">{step === null ? jobs.starting : jobs.progress(formatBytes(done), formatBytes(total ?? 0))}</p>
        <ProgressBar value={percent} label={jobs.running} />
      </>
    );
  }
  const translated = facts === null ? undefined : jobs.result(job.kind, inWords(facts));
  return (
    <>
      <p>{jobs.ended(formatMoment(job.finished_at ?? job.created_at), actorName(job.actor))}</p>
      {translated === undefined ? (
        <p className={job.state === 'failed' ? styles.alarm : undefined} lang="en" dir="ltr">
          {summary}
        </p>
      ) : (
        <p>{translated}</p>
      )}
      {findings.length === 0 ? null : (
        <ul className={styles.findings}>
          {findings.map((finding) => (
            <FindingItem key={finding.title} finding={finding} />
          ))}
        </ul>
      )}
    </>
  );
}

interface JobBoxProps {
  kind: AdminJob['kind'];
  last: AdminJob | null;
  /** Why it cannot be started. */
  obstacle?: string | undefined;
}

function JobBox({ kind, last, obstacle }: JobBoxProps) {
  const words = texts.jobs[kind];
  const [busy, start] = useBusy();
  const isRunning = last !== null && isOpen(last);
  const begin = async (): Promise<void> =>
    void (await run(async () => {
      await startJob(kind);
      return words.started;
    }, words.failed));
  return (
    <section className={styles.box} aria-label={words.title}>
      <h3>{words.title}</h3>
      <p className={styles.quiet}>{words.about}</p>
      {last === null ? <p className={styles.quiet}>{texts.jobs.never}</p> : <JobState job={last} />}
      {obstacle === undefined ? null : <p className={styles.quiet}>{obstacle}</p>}
      {obstacle === undefined ? (
        <Button variant="line" busy={busy || isRunning} onClick={() => void start(begin)}>
          {words.start}
        </Button>
      ) : null}
    </section>
  );
}

function Shown({ state }: { state: AdminOverview }) {
  const { overview, jobs } = texts;
  const { disk_free: free, disk_size: size } = state;
  return (
    <>
      {state.can_decode ? null : (
        <p role="alert" className={styles.alert}>
          {overview.cannotDecode}
        </p>
      )}
      <Facts
        facts={[
          [overview.accounts, overview.people(state.accounts, state.pending, state.disabled)],
          [overview.images, `${overview.count(state.images)} · ${formatBytes(state.bytes)}`],
          [overview.disk, free === null ? overview.unknown : overview.room(formatBytes(free), formatBytes(size ?? 0))],
          [overview.queue, overview.due(state.renditions_due)],
          [overview.storage, overview.places[state.storage]],
          [overview.version, `${state.version} · Node ${state.node_version} · Postgres ${state.postgres_version}`],
        ]}
      />
      <div className={styles.boxes}>
        <JobBox kind="doctor" last={state.last_doctor} />
        <JobBox kind="backup" last={state.last_backup} obstacle={state.can_back_up ? undefined : jobs.noBackupPath} />
      </div>
    </>
  );
}

/** The state of the server, and what can be started. */
export function Overview() {
  return <Loaded query={overviewQuery}>{(state) => <Shown state={state} />}</Loaded>;
}
