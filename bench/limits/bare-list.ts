/** The limit of a list call in one process: the same two statements, and their rows as JSON. */
import { createServer } from 'node:http';
import postgres from 'postgres';
import { sessionAccount } from '../../server/auth/queries.ts';
import { nearPage } from '../../server/gallery/pages.ts';

const [url = '', port = '', sessionId = '', ownerId = ''] = process.argv.slice(2);
const sql = postgres(url, { max: 10, fetch_types: false });

createServer(async (_, reply) => {
  await sql.unsafe(sessionAccount, [sessionId], { prepare: true });
  const rows = await sql.unsafe(nearPage, [ownerId, 0, 24], { prepare: true });
  const body = Buffer.from(JSON.stringify(rows));
  reply.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  reply.end(body);
}).listen(Number(port), '127.0.0.1');
