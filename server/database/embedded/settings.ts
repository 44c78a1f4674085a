import type { Address } from '../address.ts';

const COMMON = {
  max_connections: '100',
  shared_buffers: '64MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  // Durable: an acknowledged upload survives a power cut.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // No replication.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  min_wal_size: '48MB',
  max_wal_size: '256MB',
  // Fewer processes, and none of the /dev/shm that containers have little of.
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  jit: 'off',
  // Failed statements are not logged: they quote users' data, and users could fill the disk with them.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
};

/** Settings passed at each start, so that an upgrade also applies to an existing cluster. */
export function settings({ host, port }: Address): string[] {
  const sockets = host.startsWith('/')
    ? { listen_addresses: '', unix_socket_directories: quote(host), unix_socket_permissions: '0700' }
    : { listen_addresses: host, unix_socket_directories: '' };
  return Object.entries({ ...COMMON, ...sockets, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
}

/** Quotes a list item: a folder's name may contain commas and spaces. */
const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
