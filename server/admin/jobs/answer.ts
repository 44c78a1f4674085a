import type { AdminJobRow } from '../../../drizzle/schema.ts';
import type { AdminJob } from '../../contract.ts';
import type { JobResult } from './queries.ts';

export function jobAnswer(row: AdminJobRow): AdminJob {
  const result = row.result as JobResult | null;
  return {
    id: row.id,
    kind: row.kind,
    actor: row.actor,
    state: row.state,
    step: row.step,
    done: row.done,
    total: row.total,
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
    summary: result?.summary ?? null,
    facts: result?.facts ?? null,
    // Results of earlier versions have neither.
    findings:
      result?.findings.map((finding) => ({ ...finding, kind: finding.kind ?? '', examples: finding.examples ?? [] })) ??
      [],
  };
}
