import type { AdminJob } from '../../contract.ts';
import { overviewOf, type StoredOverview } from '../overview.ts';
import type { AddCommand } from './console/shell.ts';
import { size } from './console/size.ts';

const lastRun = (job: AdminJob | null) =>
  job === null ? 'never' : `${job.finished_at ?? job.created_at}, ${job.state}: ${job.summary ?? 'no result yet'}`;

const freeOf = ({ disk_free: free, disk_size: whole }: StoredOverview) =>
  free === null || whole === null ? 'unknown' : `${size(free)} of ${size(whole)}`;

const linesOf = (state: StoredOverview) => [
  `Accounts: ${state.accounts} (${state.admins} administrators, ${state.pending} pending, ${state.disabled} disabled)`,
  `Images: ${state.images}, ${size(state.bytes)}`,
  `Free on the disk: ${freeOf(state)}`,
  `Renditions to make: ${state.renditions_due}`,
  `Storage: ${state.storage}`,
  `Versions: ${state.version}, Node ${state.node_version}, Postgres ${state.postgres_version}`,
  `Last doctor: ${lastRun(state.last_doctor)}`,
  `Last backup: ${lastRun(state.last_backup)}`,
];

export const addOverview: AddCommand = (program, shell) => {
  program
    .command('overview')
    .description('print the state of the server: accounts, images, space, versions and the last runs')
    .option('--json', 'as JSON, for programs; bytes in full')
    .action(({ json }: { json?: boolean }) =>
      shell.withAdmin(async ({ db, config }) => {
        const state = await overviewOf(db, config);
        console.log(json ? JSON.stringify(state, undefined, 2) : linesOf(state).join('\n'));
      }),
    );
};
