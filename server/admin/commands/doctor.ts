import { isolationIn } from '../../decoder/pool/choose-isolation.ts';
import { type Backend, filesOf } from '../../storage/backend.ts';
import { openBackend } from '../../storage/open-backend.ts';
import { stagedBy } from '../../storage/staging.ts';
import { type Diagnosis, examine } from '../doctor/doctor.ts';
import { type Issue, type Kind, textOf } from '../doctor/issues.ts';
import type { JobResult } from '../jobs/queries.ts';
import { jobOption, recorded } from '../jobs/record.ts';
import { asJson, asText, lineOf } from './console/diagnosis.ts';
import { CommandFailed } from './console/failures.ts';
import { byteProgress } from './console/progress.ts';
import type { AddCommand, Shell } from './console/shell.ts';
import type { Admin } from './context.ts';
import { noteCommand } from './note-command.ts';
import { orphanedBlobsOf } from './orphaned-blobs.ts';
import { createRebuilder } from './rebuilder.ts';

type Options = { repair?: boolean; json?: boolean; quick?: boolean; job?: string };

const closing = `
Checks every image's row and bytes, files that belong to no image, what ended processes left, the accounts' sums, space,
clocks and settings. The server may keep running.

--repair rebuilds thumbnails, corrects sums, removes what ended processes left, and moves files that belong to nothing
to lost-and-found, in DATA_DIR/files or in the bucket. It deletes no image and no original.

Exit code 0 if all is well or was repaired, 1 if something is left to do.`;

export const addDoctor: AddCommand = (program, shell) => {
  program
    .command('doctor')
    .description('check that everything that is stored is present and undamaged')
    .option('--repair', 'repair what can be repaired without losing anything')
    .option('--quick', 'do not read the bytes, only check that they exist')
    .option('--json', 'print one JSON document, with every issue')
    .addOption(jobOption())
    .addHelpText('after', closing)
    .action((options: Options) => shell.withAdmin((admin) => run(admin, options, shell)));
};

async function run(
  admin: Admin,
  { repair = false, quick = false, json = false, job: id }: Options,
  shell: Shell,
): Promise<void> {
  const { db, config } = admin;
  const storage = await admin.storage();
  const { number, isAlive } = await admin.processRegistry();
  const rebuilder = createRebuilder(db, storage, config, number);
  const backends = await backendsOf(admin);
  const printer = json ? asJson(console.log) : asText(console.log);
  // If interrupted after hours, it prints the issues found so far.
  const printIssues = () => printer.end();
  shell.signal.addEventListener('abort', printIssues, { once: true });
  try {
    const parts = {
      ...{ db, storage, config, backends, isAlive },
      root: filesOf(config),
      process: number,
      sweep: await sweeperOf(admin),
      rebuild: rebuilder.rebuild,
      isolation: isolationIn(stagedBy(filesOf(config), number)),
    };
    const { signal } = shell;
    // Those of the page are noted there.
    if (id === undefined) await noteCommand(db, 'doctor', { repair, quick });
    const isHealthy = await recorded(db, { kind: 'doctor', id, signal }, async ({ progress }) => {
      const examples = createExamples();
      const report = (issue: Issue) => {
        printer.issue(issue);
        examples.add(issue);
      };
      const options = { repair, quick, report, progress: progress(byteProgress()), signal };
      const diagnosis = await examine(parts, options);
      printer.end(diagnosis);
      return { ...resultOf(diagnosis, examples.of), value: diagnosis.healthy };
    });
    if (!isHealthy) throw new CommandFailed('Something is left to do, see above.');
  } finally {
    shell.signal.removeEventListener('abort', printIssues);
    printer.end();
    for (const backend of backends) backend.close();
    await rebuilder.close();
  }
}

/** Issues of a kind that the page names; the command names more. */
const EXAMPLES = 5;

function createExamples() {
  const byKind = new Map<Kind, string[]>();
  const of = (kind: Kind): string[] => byKind.get(kind) ?? [];
  return {
    of,
    add(issue: Issue) {
      const known = of(issue.kind);
      if (known.length < EXAMPLES) byKind.set(issue.kind, [...known, lineOf(issue)]);
    },
  };
}

/** What the administrator's page shows. */
function resultOf({ images, files, healthy, found }: Diagnosis, examplesOf: (kind: Kind) => string[]): JobResult {
  const findings = Object.entries(found).map(([name, sums]) => {
    const kind = name as Kind;
    const { title, todo } = textOf(kind);
    return { kind, title, todo, ...sums, examples: examplesOf(kind) };
  });
  const seen = `Looked at ${images} images and ${files} files.`;
  const summary = healthy ? `${seen} All is well.` : `${seen} Something is left to do.`;
  return { summary, facts: { images, files, healthy }, findings };
}

/** While a collection is migrated, its bytes are in two backends. */
async function backendsOf({ config }: Admin): Promise<Backend[]> {
  const kinds = [config.storage, config.storageFallback].filter((kind) => kind !== undefined);
  return Promise.all(kinds.map((kind) => openBackend(kind, config)));
}

/** Sweeps like a server: staged files of ended processes, and orphaned blobs. */
async function sweeperOf(admin: Admin): Promise<() => Promise<void>> {
  const storage = await admin.storage();
  const { number, isAlive } = await admin.processRegistry();
  const orphaned = orphanedBlobsOf(admin, storage, number, isAlive);
  return async () => {
    await storage.sweep(isAlive);
    await orphaned.sweep();
  };
}
