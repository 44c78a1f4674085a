// Which room may import which; `npm run lint` checks it, types included, and finds import cycles.

/** Rooms of server/, top down: each imports only the listed ones. All may import errors.ts, contract.ts and drizzle/. */
const server = {
  openapi: ['http'],
  admin: [
    'audit',
    'auth',
    'backup',
    'config',
    'database',
    'decoder',
    'http',
    'images',
    'lib',
    'mail',
    'renditions',
    'storage',
  ],
  backup: ['database', 'images', 'lib', 'storage'],
  workers: ['config', 'database', 'lib', 'monitoring', 'storage'],
  monitoring: ['config', 'database', 'decoder', 'http', 'images', 'ingest', 'lib', 'renditions', 'storage'],
  collect: [
    'albums',
    'audit',
    'auth',
    'config',
    'database',
    'delivery',
    'gallery',
    'http',
    'images',
    'ingest',
    'lib',
    'shares',
  ],
  shares: ['albums', 'audit', 'auth', 'config', 'database', 'delivery', 'gallery', 'http', 'images', 'lib', 'storage'],
  ingest: ['albums', 'config', 'database', 'decoder', 'http', 'images', 'lib', 'renditions', 'storage'],
  auth: ['albums', 'audit', 'config', 'database', 'http', 'lib', 'mail', 'storage'],
  audit: ['database'],
  albums: ['audit', 'config', 'database', 'gallery', 'http', 'images', 'lib'],
  gallery: ['config', 'database', 'http', 'images', 'lib'],
  'delete-links': ['config', 'database', 'http', 'images', 'lib'],
  'stable-links': ['config', 'database', 'delivery', 'http', 'images', 'lib'],
  delivery: ['audit', 'config', 'decoder', 'http', 'images', 'lib', 'renditions', 'storage'],
  renditions: ['database', 'decoder', 'images', 'lib', 'storage'],
  background: ['database', 'images', 'lib'],
  images: ['database', 'lib', 'storage'],
  http: ['config', 'database', 'lib', 'storage'],
  mail: ['lib'],
  decoder: ['config', 'storage'],
  storage: ['config', 'database', 'lib'],
  database: ['config', 'lib'],
  config: [],
  lib: [],
};

const tests = '(?:\\.test\\.ts$|/testing/)';

const roomRule = ([room, below]) => ({
  name: `server/${room}`,
  comment: `server/${room} imports only what the table in .dependency-cruiser.mjs names.`,
  severity: 'error',
  from: { path: `^server/${room}/` },
  to: { path: '^server/', pathNot: `^server/(?:(?:${[room, ...below].join('|')})/|(?:errors|contract)\\.ts$)` },
});

/** @param only pattern of the files that may import it */
const onlyIn = (name, to, only) => ({
  name,
  severity: 'error',
  from: { path: '^server/', pathNot: only },
  to: { path: to },
});

export default {
  forbidden: [
    {
      name: 'no-cycle',
      severity: 'error',
      // A JPEG can contain a TIFF, which can contain a JPEG: these parsers call each other.
      from: { pathNot: '^server/decoder/metadata/formats/' },
      to: { circular: true },
    },
    { name: 'no-cycle-of-folders', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
    ...Object.entries(server).map(roomRule),
    onlyIn('swagger-in-openapi', 'node_modules/@fastify/swagger/', '^server/openapi/'),
    onlyIn('sharp-in-decoder', 'node_modules/sharp/', '^server/decoder/'),
    onlyIn('openid-in-provider', 'node_modules/(?:openid-client|jose)/', '^server/auth/provider/'),
    onlyIn('sql-in-queries', 'node_modules/drizzle-orm/', '^server/database/|(?:queries|transactions|counts)\\.ts$'),
    {
      name: 'decoder-alone',
      comment: 'Decoding imports no HTTP, storage or database; only the part that starts decoders reads settings.',
      severity: 'error',
      from: { path: '^server/decoder/[^/]+/' },
      to: { path: '^server/(?!decoder/)|node_modules/@?fastify/' },
    },
    {
      name: 'storage-without-http',
      severity: 'error',
      from: { path: '^server/(?:storage|images|renditions)/', pathNot: 'plugin\\.ts$' },
      to: { path: 'node_modules/@?fastify/' },
    },
    { name: 'server-and-client', severity: 'error', from: { path: '^server/' }, to: { path: '^client/' } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // Biome restricts testing/ to tests.
    exclude: { path: tests },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
