/** The whole app with thumbnails off: its decoder answers at once without reading the picture. */
import { buildApp } from '../../server/app.ts';
import { readConfig } from '../../server/config/read-config.ts';
import type { Decoded, DecoderPool } from '../../server/decoder/pool/pool.ts';

const image: Decoded = {
  contentType: 'image/jpeg',
  extension: 'jpg',
  width: 4000,
  height: 3000,
  placeholder: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
  camera: null,
  thumbnail: Buffer.alloc(0),
  screen: undefined,
  thumbnailAvif: undefined,
  screenAvif: undefined,
  traces: 'none',
};

const decoder: DecoderPool = {
  decode: async () => ({ ok: true, image }),
  close: async () => {},
};

const config = readConfig(process.env);
const app = await buildApp(config, { decoder });
await app.listen({ host: config.host, port: config.port });
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
