/** Checks the templates for NAS systems and Portainer, and the file that builds a release, without these programs. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { readConfig } from '../config/read-config.ts';
import { type Compose, readYaml, substitute, variableNames } from '../testing/deployment.ts';

type Service = {
  image: string;
  user: string;
  ports: (string | { target: number; published: string })[];
  volumes: (string | { target: string })[];
  environment: Record<string, string>;
};
type Stack = {
  services: { gallery: Service };
  'x-casaos': { main: string; port_map: string; title: Record<string, string> };
  'x-portals': { port: number; scheme: string; host: string; path: string; name: string }[];
};
type Template = { image: string; port: string; data: string; user: string; environment: Record<string, string> };

const pathOf = (name: string) => `deploy/templates/${name}`;
const stackOf = (name: string) => readYaml<Stack>(pathOf(name));

function templateOf({ services: { gallery } }: Stack): Template {
  const { image, user, environment } = gallery;
  const ports = gallery.ports.map((port) => (typeof port === 'string' ? port : `${port.published}:${port.target}`));
  const data = gallery.volumes.map((volume) => (typeof volume === 'string' ? volume.split(':')[1] : volume.target));
  return { image, user, environment, port: ports.join(), data: data.join() };
}

/** Each line as Unraid's Docker page writes it: Community Applications refuses other XML. */
const unraidLine = /^ {2}<(\w+)((?: \w+="[^"<&]*")*)(?:\/>|>([^<&]+)<\/\1>)$/;
const unraidHead = '<?xml version="1.0"?>\n<Container version="2">\n';

type UnraidEntry = { tag: string; text: string; Target?: string; Default?: string; Mode?: string; Type?: string };

function unraidEntries(): UnraidEntry[] {
  const text = readFileSync(pathOf('unraid.xml'), 'utf8');
  const lines = text.slice(unraidHead.length, text.indexOf('</Container>\n')).trimEnd().split('\n');
  return lines.map((line) => {
    const [, tag = line, attributes = '', text = ''] = unraidLine.exec(line) ?? [];
    const named = Array.from(attributes.matchAll(/(\w+)="([^"]*)"/g), ([, name = '', value = '']) => [name, value]);
    return { tag, text, ...Object.fromEntries(named) };
  });
}

function unraidTemplate(entries: UnraidEntry[]): Template {
  const fieldOf = (tag: string) => entries.find((entry) => entry.tag === tag)?.text ?? '';
  const ofType = (type: string) => entries.filter((entry) => entry.Type === type);
  const environment = Object.fromEntries(ofType('Variable').map(({ Target = '', text }) => [Target, text]));
  const port = ofType('Port').map(({ text, Target }) => `${text}:${Target}`);
  const user = /--user=(\S+)/.exec(fieldOf('ExtraParams'))?.[1] ?? '';
  return { image: fieldOf('Repository'), user, environment, port: port.join(), data: ofType('Path')[0]?.Target ?? '' };
}

type PortainerVariable = { name: string; label: string; select?: { value: string; default?: boolean }[] };
type PortainerTemplate = {
  type: number;
  title: string;
  description: string;
  image: string;
  ports: string[];
  volumes: { container: string }[];
  env: PortainerVariable[];
};
type PortainerFile = { version: string; templates: PortainerTemplate[] };

const portainerFile = () => JSON.parse(readFileSync(pathOf('portainer.json'), 'utf8')) as PortainerFile;

function portainerTemplate({ templates: [template] }: PortainerFile): Template {
  if (!template) throw new Error('no template');
  const defaultOf = ({ select = [] }: PortainerVariable) => select.find((option) => option.default)?.value ?? '';
  const environment = Object.fromEntries(template.env.map((variable) => [variable.name, defaultOf(variable)]));
  const [port = ''] = template.ports;
  const data = template.volumes.map(({ container }) => container).join();
  return { image: template.image, user: '1000:1000', environment, port: port.replace('/tcp', ''), data };
}

const templates: Record<string, { template: Template; user: string }> = {
  TrueNAS: { template: templateOf(stackOf('truenas.yml')), user: '568:568' },
  CasaOS: { template: templateOf(stackOf('casaos.yml')), user: '1000:1000' },
  Unraid: { template: unraidTemplate(unraidEntries()), user: '99:100' },
  Portainer: { template: portainerTemplate(portainerFile()), user: '1000:1000' },
};

t.test('the templates name the same image, port, folder and variables, all of which exist', async (t) => {
  const app = readYaml<Compose>('docker-compose.yml').services.app;
  const names = ['SETUP_TOKEN', 'REGISTRATION', 'PUBLIC_URL', 'TRUST_PROXY', 'QUOTA'];
  const known = variableNames();
  for (const [system, { template, user }] of Object.entries(templates)) {
    const { environment, ...rest } = template;
    t.same(rest, { image: substitute(app?.image ?? '', {}), port: '3000:3000', data: '/data', user }, system);
    t.same(Object.keys(environment), names, system);
    for (const name of Object.keys(environment)) t.ok(known.includes(name), `${system}: ${name}`);
    t.equal(readConfig(environment).registration, 'invite', system);
  }
});

t.test('the template for Unraid has the lines that its Docker page writes', async (t) => {
  t.ok(readFileSync(pathOf('unraid.xml'), 'utf8').startsWith(unraidHead));
  const entries = unraidEntries();
  const tags = entries.map(({ tag }) => tag);
  for (const tag of tags) t.match(tag, /^\w+$/, 'a line of another form');
  for (const tag of ['Name', 'Repository', 'Network', 'Privileged', 'Overview', 'Category', 'WebUI'])
    t.ok(tags.includes(tag), tag);
  for (const { tag, ...attributes } of entries.filter(({ tag }) => tag === 'Config')) {
    const names = ['text', 'Name', 'Target', 'Default', 'Mode', 'Description', 'Type', 'Display', 'Required', 'Mask'];
    t.same(Object.keys(attributes), names);
  }
});

t.test('the templates for TrueNAS, CasaOS and Portainer have what their programs require', async (t) => {
  t.same(stackOf('truenas.yml')['x-portals'], [
    { name: 'Web UI', scheme: 'http', host: '0.0.0.0', port: 3000, path: '/' },
  ]);
  const store = stackOf('casaos.yml')['x-casaos'];
  t.match(store, { id: /^[\w-]+(\.[\w-]+)+$/, main: 'gallery', scheme: 'http', icon: /^data:image/ });
  t.equal(store.port_map, '3000', 'a string');
  t.match(store, { index: '/', category: 'Media', architectures: ['amd64', 'arm64'], title: { en_US: /./ } });
  const { version, templates } = portainerFile();
  t.equal(version, '2');
  t.match(templates, [{ type: 1, title: /./, description: /./, image: /:/ }]);
  for (const { label } of templates[0]?.env ?? []) t.ok(label);
});

const noBuildx = spawnSync('docker', ['buildx', 'version']).status === 0 ? false : 'docker buildx is not installed';

t.test('a release is built for two processors, with three tags', { skip: noBuildx }, async (t) => {
  const bake = (VERSION: string) =>
    spawnSync('docker', ['buildx', 'bake', '-f', 'docker-bake.hcl', '--print'], {
      encoding: 'utf8',
      env: { ...process.env, VERSION, IMAGE: 'registry.example.com/gallery' },
    });
  t.match(JSON.parse(bake('1.2.3').stdout).target.default, {
    platforms: ['linux/amd64', 'linux/arm64'],
    tags: ['1', '1.2', '1.2.3'].map((tag) => `registry.example.com/gallery:${tag}`),
  });
  for (const version of ['', '1.2', 'v1.2.3']) t.not(bake(version).status, 0, version);
});
