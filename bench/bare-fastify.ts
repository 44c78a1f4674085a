/** The limit of a start: Fastify and one route, and nothing that the product needs beside. */
import Fastify from 'fastify';

const app = Fastify();
app.get('/api/health/ready', async () => ({ status: 'ok' }));
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
