/** What administrators read and change. */
import type {
  AccountDeletion,
  AdminAccount,
  AdminAccountAnswer,
  AdminAccountChange,
  AdminAccountPage,
  AdminJob,
  AdminJobAnswer,
  AdminOverview,
  AuditPage,
  CreatedInvite,
  Invite,
  InviteList,
  NewInvite,
  PasswordLink,
  SessionsEnded,
  Setting,
  SettingList,
} from '../../server/contract.ts';
import { request, requestBytes } from './client.ts';

const accountPath = (id: string): string => `admin/accounts/${encodeURIComponent(id)}`;

export const readOverview = (signal: AbortSignal, background: boolean): Promise<AdminOverview> =>
  request<AdminOverview>('admin/overview', { signal, keepsSession: background });

export type AccountState = 'all' | 'pending' | 'disabled' | 'admin';
export interface AccountFilter {
  readonly search: string;
  readonly state: AccountState;
  readonly page: number;
}

export const listAccounts = (filter: AccountFilter, signal: AbortSignal): Promise<AdminAccountPage> =>
  request<AdminAccountPage>('admin/accounts', { searchParams: { ...filter }, signal });

export const changeAccountOf = async (id: string, change: AdminAccountChange): Promise<AdminAccount> =>
  (await request<AdminAccountAnswer>(accountPath(id), { method: 'patch', json: change })).account;

export const approveAccount = async (id: string): Promise<AdminAccount> =>
  (await request<AdminAccountAnswer>(`${accountPath(id)}/approve`, { method: 'post' })).account;

export const endSessionsOf = async (id: string): Promise<number> =>
  (await request<SessionsEnded>(`${accountPath(id)}/sessions`, { method: 'delete' })).ended;

export const resetFactorsOf = async (id: string, proof: string): Promise<AdminAccount> =>
  (await request<AdminAccountAnswer>(`${accountPath(id)}/second-factors`, { method: 'delete', json: { proof } }))
    .account;

export const createPasswordLink = (id: string, proof: string): Promise<PasswordLink> =>
  request<PasswordLink>(`${accountPath(id)}/password-link`, { method: 'post', json: { proof } });

export const deleteAccountOf = (id: string, deletion: AccountDeletion): Promise<void> =>
  request<void>(accountPath(id), { method: 'delete', json: deletion });

export const listInvites = async (signal: AbortSignal): Promise<Invite[]> =>
  (await request<InviteList>('admin/invites', { signal })).invites;

export const createInvite = (invite: NewInvite): Promise<CreatedInvite> =>
  request<CreatedInvite>('admin/invites', { method: 'post', json: invite });

export const endInvite = (id: string): Promise<void> =>
  request<void>(`admin/invites/${encodeURIComponent(id)}`, { method: 'delete' });

export interface AuditFilter {
  readonly action?: string;
  readonly account?: string;
  readonly from?: string;
  readonly until?: string;
}

export const listAudit = (filter: AuditFilter, before: string | undefined, signal: AbortSignal): Promise<AuditPage> =>
  request<AuditPage>('admin/audit', { searchParams: { ...filter, ...(before ? { before } : {}) }, signal });

const exportPath = (filter: AuditFilter): string => `admin/audit/export?${new URLSearchParams({ ...filter })}`;

export const exportAudit = (filter: AuditFilter): Promise<Blob> => requestBytes(exportPath(filter));

export const listSettings = async (signal: AbortSignal): Promise<Setting[]> =>
  (await request<SettingList>('admin/settings', { signal })).settings;

export const startJob = async (kind: AdminJob['kind']): Promise<AdminJob> =>
  (await request<AdminJobAnswer>('admin/jobs', { method: 'post', json: { kind } })).job;
