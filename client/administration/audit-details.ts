import type { AuditEntry } from '../../server/contract.ts';
import { formatBytes } from '../text/format-bytes.ts';
import { formatMoment } from '../text/format-moment.ts';
import { administration as texts } from '../text/words.ts';

type Value = AuditEntry['details'][string];

const inBytes = new Set(['bytes', 'quotaBytes']);
/** Without a value, the server's limit applies. */
const limits = new Set(['quotaBytes', 'quotaImages']);
/** Their texts are ours; all others are somebody's. */
const fixed = new Set(['by', 'email', 'factor', 'method', 'reason', 'role', 'second_factor']);

function valueText(name: string, value: Exclude<Value, boolean>): string {
  if (value === null) return texts.audit.noLimit;
  if (typeof value === 'number') return inBytes.has(name) ? formatBytes(value) : String(value);
  if (name === 'before') return formatMoment(value);
  return fixed.has(name) ? (texts.audit.values[value] ?? value) : value;
}

/** Each detail of an entry as a line. */
export const detailLines = ({ details }: AuditEntry): string[] =>
  Object.entries(details).flatMap(([name, value]) => {
    // How emails compare; the entry has the email as it was typed too.
    if (name === 'email_key') return [];
    if (value === false || (value === null && !limits.has(name))) return [];
    const label = texts.audit.details[name] ?? name;
    return value === true ? [label] : [`${label}: \u2068${valueText(name, value)}\u2069`];
  });
