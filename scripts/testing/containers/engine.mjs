// A container engine for tests: Debian's podman with runc, with separate storage and settings.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

/** Kept between runs: base images, the layers of earlier builds, Docker Compose. */
export const cache = '/var/cache/gallery-container-tests';

const programs = {
  podman: 'podman',
  runc: 'runc',
  catatonit: 'catatonit',
  debootstrap: 'debootstrap',
  iptables: 'iptables',
  '/usr/lib/podman/netavark': 'netavark',
  '/usr/lib/podman/aardvark-dns': 'aardvark-dns',
  // Maps the ids of user namespaces.
  newuidmap: 'uidmap',
  '/usr/share/keyrings/debian-archive-keyring.gpg': 'debian-archive-keyring',
};

const folders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
const isThere = (name) =>
  name.startsWith('/') ? existsSync(name) : folders.some((each) => existsSync(join(each, name)));

/** @throws {Error} one line, if this machine cannot run containers */
export async function installEngine() {
  if (process.platform !== 'linux' || process.getuid() !== 0) {
    throw new Error('The container tests need Linux and root: they mount file systems and create networks.');
  }
  const missing = Object.keys(programs).filter((name) => !isThere(name));
  if (missing.length === 0) return;
  if (!isThere('apt-get'))
    throw new Error(`The container tests need ${missing.join(', ')}; only Debian's are installed.`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  console.log(`Installing ${missing.map((name) => programs[name]).join(', ')} …`);
  await run('apt-get', ['update', '-qq'], { env });
  const packages = missing.map((name) => programs[name]);
  await run('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...packages], { env });
}

/** Docker's default profile lets nobody without CAP_SYS_ADMIN make namespaces or mount; podman's does. */
const ofAdministrators =
  /^(bpf|clone|clone3|fanotify_init|fsconfig|fsmount|fsopen|fspick|mount|mount_setattr|move_mount|open_tree|perf_event_open|pivot_root|setns|umount|umount2|unshare|keyctl|add_key|request_key|userfaultfd|io_uring_.*)$/;

/** The flags of clone that make namespaces. */
const namespaces = 0x7e020000;

function asStrictAsDocker({ syscalls, ...profile }) {
  const kept = syscalls.map((rule) =>
    rule.includes?.caps || rule.excludes?.caps
      ? rule
      : { ...rule, names: rule.names.filter((name) => !ofAdministrators.test(name)) },
  );
  const clone = { index: 0, value: namespaces, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' };
  return {
    ...profile,
    // What the profile does not name is refused with EPERM.
    defaultAction: 'SCMP_ACT_ERRNO',
    defaultErrnoRet: 1,
    syscalls: [
      ...kept.filter(({ names }) => names.length > 0),
      { names: ['clone'], action: 'SCMP_ACT_ALLOW', args: [clone] },
      // ENOSYS: the C library then falls back to clone.
      { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: 38, args: [] },
    ],
  };
}

/**
 * Writes the engine's settings into a folder. Nothing in /etc is changed.
 * @returns the environment of every podman command
 */
export async function configureEngine(folder) {
  const inCache = (name) => {
    const path = join(cache, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const write = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const profile = JSON.parse(readFileSync('/usr/share/containers/seccomp.json', 'utf8'));
  const seccomp = write('seccomp.json', JSON.stringify(asStrictAsDocker(profile)));
  const env = {
    CONTAINERS_CONF: write(
      'containers.conf',
      `[containers]
# Equal numbers: podman 4.3 swaps the soft and the hard one in its API.
default_ulimits = ["nofile=4096:4096", "nproc=10000:10000"]
log_driver = "k8s-file"
seccomp_profile = "${seccomp}"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
[network]
network_backend = "netavark"
network_config_dir = "${inCache('networks')}"
`,
    ),
    CONTAINERS_STORAGE_CONF: write(
      'storage.conf',
      `[storage]
driver = "overlay"
graphroot = "${inCache('storage')}"
runroot = "/run/gallery-container-tests"
`,
    ),
    CONTAINERS_REGISTRIES_CONF: write('registries.conf', 'unqualified-search-registries = ["docker.io"]\n'),
  };
  await run('podman', ['info'], { env }).catch((error) => {
    throw new Error(`podman does not run on this machine: ${error.message.split('\n').at(-1)}`);
  });
  return env;
}
