/** Checks the manifests in docs/run/kubernetes against the schemas of Kubernetes and the program's settings. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Secret, Service } from 'kubernetes-models/v1';
import t from 'tap';
import { readConfig } from '../config/read-config.ts';
import { filesBelow, readDocuments, variableNames } from '../testing/deployment.ts';

const folder = 'docs/run/kubernetes';
// biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds; their schemas are what is tested
type Manifest = any;

const kinds: Record<string, new (data: Manifest) => { validate(): void }> = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
};

const manifests = filesBelow(folder, '.yaml').flatMap((path) => readDocuments<Manifest>(path));
const the = (kind: string): Manifest => manifests.find((manifest) => manifest.kind === kind);
const pod = the('Deployment').spec.template.spec;
const [container] = pod.containers;

/**
 * Records which fields were read. The schemas accept unknown fields but their checks never read them; listing an object's
 * keys means that it may have any.
 */
function watchReading(value: Manifest, path: string, unread: Set<string>): Manifest {
  if (value === null || typeof value !== 'object') return value;
  const children: Manifest = Array.isArray(value) ? [] : {};
  for (const [key, child] of Object.entries(value)) {
    if (!Array.isArray(value)) unread.add(`${path}.${key}`);
    children[key] = watchReading(child, `${path}.${key}`, unread);
  }
  return new Proxy(children, {
    get(target, key) {
      unread.delete(`${path}.${String(key)}`);
      return target[key];
    },
    ownKeys(target) {
      for (const key of Object.keys(target)) unread.delete(`${path}.${key}`);
      return Reflect.ownKeys(target);
    },
  });
}

/** @returns fields that the kind's schema does not know */
function unknownFields(manifest: Manifest): string[] {
  const Kind = kinds[manifest.kind];
  if (!Kind) throw new Error(`no schema of ${manifest.kind}`);
  const unread = new Set<string>();
  const model = new Kind({});
  // Assigned one by one, because the constructor lists all keys.
  for (const [key, value] of Object.entries(manifest)) {
    Object.assign(model, { [key]: watchReading(value, key, unread) });
  }
  model.validate();
  return [...unread];
}

t.test('every manifest matches the schema of its kind and has no unknown field', async (t) => {
  for (const manifest of manifests) {
    t.doesNotThrow(() => new (kinds[manifest.kind] as (typeof kinds)[string])(manifest).validate(), manifest.kind);
    t.same(unknownFields(manifest), [], manifest.kind);
  }
  t.same([...new Set(manifests.map(({ kind }) => kind))].sort(), Object.keys(kinds).sort());
});

t.test('a misspelled field is found', async (t) => {
  const wrong = structuredClone(the('Deployment'));
  wrong.spec.template.spec.containers[0].readynessProbe = {};
  t.same(unknownFields(wrong), ['spec.template.spec.containers.0.readynessProbe']);
});

t.test('every variable is known to the program and has a valid value', async (t) => {
  const known = new Set(variableNames());
  const plain: Record<string, string> = the('ConfigMap').data;
  const secrets: Record<string, string> = the('Secret').stringData;
  const [given, optional] = [true, false].map((isGiven) =>
    container.env.filter(({ value }: Manifest) => !!value === isGiven),
  );
  t.match(optional, [
    { name: 'ENCRYPTION_KEY_PREVIOUS', valueFrom: { secretKeyRef: { name: 'gallery', optional: true } } },
  ]);
  const files = (given as { name: string; value: string }[]).map(({ name, value }) => {
    t.match(name, /_FILE$/);
    return [name.replace(/_FILE$/, ''), secrets[value.replace('/run/secrets/gallery/', '')] ?? ''];
  });
  const environment = { ...plain, ...Object.fromEntries(files) };
  for (const name of Object.keys(environment)) t.ok(known.has(name), name);
  t.match(readConfig(environment), { storage: 's3', publicUrl: 'https://gallery.example.com' });
  t.equal(files.length, Object.keys(secrets).length, 'every secret is used');
});

t.test('pods run without root, without a writable root and without privileges', async (t) => {
  t.match(pod.securityContext, { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } });
  t.same(container.securityContext, {
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
  });
  t.equal(pod.automountServiceAccountToken, false);
  t.match(readFileSync('Dockerfile', 'utf8'), /^USER 1000:1000$/m);
  const mounted = container.volumeMounts.map(({ mountPath }: Manifest) => mountPath);
  t.same(mounted, ['/data', '/tmp', '/run/secrets/gallery']);
});

t.test('pods shut down gracefully, and probes use existing paths', async (t) => {
  const pause = Number(container.lifecycle.preStop.exec.command[1]);
  t.ok(pod.terminationGracePeriodSeconds > pause + 15);
  const health = readFileSync('server/http/health.ts', 'utf8');
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
    const { path, port } = container[probe].httpGet;
    t.ok(health.includes(`'${path.replace('/api/health', '')}'`), `${probe}: ${path}`);
    t.equal(port, 'http');
  }
  const { readinessProbe, livenessProbe } = container;
  t.equal(livenessProbe.httpGet.path, '/api/health/live', 'a busy pod is not killed');
  t.equal(
    readinessProbe.httpGet.path,
    '/api/health/self',
    'a pod is taken out of service when busy, but not for failures that all pods share',
  );
});

t.test('selectors, port names and the autoscaler agree', async (t) => {
  const { labels } = the('Deployment').spec.template.metadata;
  for (const selector of [
    the('Deployment').spec.selector.matchLabels,
    the('Service').spec.selector,
    the('PodDisruptionBudget').spec.selector.matchLabels,
    the('NetworkPolicy').spec.podSelector.matchLabels,
  ]) {
    t.same(selector, labels);
  }
  const ports = Object.fromEntries(container.ports.map(({ name, containerPort }: Manifest) => [name, containerPort]));
  t.same(ports, { http: 3000, metrics: Number(the('ConfigMap').data.METRICS_PORT) });
  t.equal(the('Service').spec.ports[0].targetPort, 'http');
  t.equal(the('HorizontalPodAutoscaler').spec.scaleTargetRef.name, the('Deployment').metadata.name);
  t.notOk('replicas' in the('Deployment').spec, 'the autoscaler sets the number of replicas');
  t.match(container.image, /:\d+\.\d+\.\d+$/);
  const host = new URL(the('ConfigMap').data.PUBLIC_URL).host;
  t.equal(the('Ingress').spec.rules[0].host, host);
  t.same(the('Ingress').spec.tls[0].hosts, [host]);
});

t.test('the README names exactly the existing manifests', async (t) => {
  const text = readFileSync(join(folder, 'README.md'), 'utf8');
  const there = filesBelow(folder, '.yaml').map((path) => path.slice(folder.length + 1));
  for (const name of there) t.ok(text.includes(`\`${name}\``), name);
  for (const [, name = ''] of text.matchAll(/-f ([\w.-]+\.yaml)/g)) t.ok(there.includes(name), name);
});
