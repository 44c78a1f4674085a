import type { AdminAccount } from '../../contract.ts';
import type { AccountRow } from './account-queries.ts';

const moment = (at: Date | null) => at?.toISOString() ?? null;

export const accountAnswer = (row: AccountRow): AdminAccount => ({
  ...{ id: row.id, username: row.username, email: row.email, role: row.role },
  created_at: row.createdAt.toISOString(),
  pending_since: moment(row.pendingSince),
  disabled_at: moment(row.disabledAt),
  links_silenced_at: moment(row.linksSilencedAt),
  seen_at: row.seenAt === null ? null : new Date(row.seenAt).toISOString(),
  ...{ images: row.imageCount, bytes: row.imageBytes },
  ...{ quota_images: row.quotaImages, quota_bytes: row.quotaBytes },
  ...{ sessions: row.sessions, tokens: row.tokens, has_password: row.hasPassword },
  ...{ passkeys: row.passkeys, has_codes: row.hasCodes, providers: row.providers },
});
