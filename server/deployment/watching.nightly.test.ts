/** Checks the dashboard, the alerts and the Prometheus configuration against a real server's metrics. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { type Compose, readYaml, without } from '../testing/deployment.ts';
import { temporaryFolder } from '../testing/postgres/embedded.ts';

t.setTimeout(120_000);

const run = promisify(execFile);

/** Metric names in an expression, without those that Prometheus adds. */
const namesIn = (expression: string): string[] =>
  [...expression.matchAll(/\b((?:gallery|process|nodejs)_\w+)/g)].map(([, name = '']) => name);

/** Names in a scrape: families, and the sample names of histograms. */
async function namesInScrape(t: Test): Promise<Set<string>> {
  const app = await buildTestApp(t, { metricsPort: 0 });
  await signIn(app);
  const { text } = (await app.metrics?.()) ?? { text: '' };
  const families = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(
    families.flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

type Dashboard = { panels: { title: string; type: string; targets?: { expr: string }[] }[] };
type Rules = { groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[] };

const dashboard = JSON.parse(readFileSync('deploy/grafana/dashboards/gallery.json', 'utf8')) as Dashboard;
const rules = readYaml<Rules>('deploy/prometheus/alerts.yml').groups.flatMap((group) => group.rules);

t.test('every panel and alert uses metrics that a scrape contains', async (t) => {
  const there = await namesInScrape(t);
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');
  t.ok(panels.length > 20);
  for (const { title, targets = [] } of panels) {
    const names = targets.flatMap(({ expr }) => namesIn(expr));
    t.ok(names.length > 0, title);
    for (const name of names) t.ok(there.has(name), `${title}: ${name}`);
  }
  for (const { alert, expr, annotations } of rules) {
    const names = namesIn(expr);
    t.ok(names.length > 0 || expr.includes('up{'), alert);
    for (const name of names) t.ok(there.has(name), `${alert}: ${name}`);
    t.ok(annotations.summary, alert);
  }
});

t.test('every metric family is in the documentation and on the dashboard', async (t) => {
  const families = new Set([...(await namesInScrape(t))].map((name) => name.replace(/_(bucket|sum|count)$/, '')));
  const ours = [...families].filter((name) => name.startsWith('gallery_'));
  t.ok(ours.length > 20);
  const text = readFileSync('docs/run/monitoring.md', 'utf8');
  const asked = new Set(dashboard.panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => namesIn(expr))));
  for (const name of ours) {
    t.ok(text.includes(`\`${name}\``), name);
    t.ok(
      [...asked].some((one) => one.replace(/_(bucket|sum|count)$/, '') === name),
      `${name} on the dashboard`,
    );
  }
  const documented = [...text.matchAll(/`(gallery_\w+)`/g)].map(([, name = '']) => name);
  for (const name of documented) t.ok(families.has(name), `${name} is in the scrape`);
});

t.test('Prometheus scrapes the port that the replicas open', async (t) => {
  type Scrape = { scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[] };
  const [job] = readYaml<Scrape>('deploy/prometheus/prometheus.yml').scrape_configs;
  const app = readYaml<Compose>('docker-compose.scale.yml').services.app;
  t.match(job?.dns_sd_configs, [{ names: ['app'], port: app?.environment?.METRICS_PORT }]);
});

t.test('promtool accepts the configuration and the rules', { skip: without('promtool', 'prometheus') }, async (t) => {
  t.match((await run('promtool', ['check', 'config', 'deploy/prometheus/prometheus.yml'])).stdout, /SUCCESS/);
  t.match((await run('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yml'])).stdout, /SUCCESS/);
});

t.test(
  'an alert fires if a replica leaves the targets or does not answer, or if all are missing',
  { skip: without('promtool', 'prometheus') },
  async (t) => {
    const file = join(temporaryFolder(t), 'test.yml');
    const whole = '1x20';
    const scenes: [string, values: string[], fires: boolean][] = [
      ['all answer', [whole, whole, whole], false],
      ['one is gone', [whole, whole, '1x4 stale'], true],
      ['one does not answer', [whole, whole, '1x4 0x16'], true],
      ['none is there', [], true],
    ];
    for (const [name, values, fires] of scenes) {
      const inputs = values.map((all, at) => ({ series: `up{job="gallery",instance="${at}"}`, values: all }));
      const count = {
        expr: 'count(ALERTS{alertname="GalleryDown",alertstate="firing"}) > bool 0 or vector(0)',
        eval_time: '15m',
      };
      const test = {
        interval: '1m',
        input_series: inputs,
        promql_expr_test: [{ ...count, exp_samples: [{ labels: '{}', value: Number(fires) }] }],
      };
      const rule_files = [resolve('deploy/prometheus/alerts.yml')];
      await writeFile(file, JSON.stringify({ rule_files, evaluation_interval: '1m', tests: [test] }));
      t.match((await run('promtool', ['test', 'rules', file])).stdout, /SUCCESS/, name);
    }
  },
);
