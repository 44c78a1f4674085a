/** A cheap upload client: node:http with the body in memory and keep-alive connections. */
import { Agent, request } from 'node:http';

export type Sent = { name: string; type: string; bytes: Buffer };

export type StoredImage = { id: string; url: string; thumbnail_url: string };

const BOUNDARY = '----bench-1f8b0f6c3a';

/** Creates the sockets of one bench; call `destroy` at the end. */
export const createAgent = (maxSockets: number) => new Agent({ keepAlive: true, maxSockets });

function envelope({ name, type, bytes }: Sent): { head: Buffer; tail: Buffer; length: number } {
  const head = Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="images"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  return { head, tail, length: head.length + bytes.length + tail.length };
}

/** POSTs one file. @returns the status and the body's text */
function post(origin: string, token: string, agent: Agent, sent: Sent): Promise<{ status: number; text: string }> {
  const { head, tail, length } = envelope(sent);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${origin}/api/images/upload`,
      {
        method: 'POST',
        agent,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
          'content-length': length,
        },
      },
      (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part) => parts.push(part)).on('error', reject);
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
      },
    );
    outgoing.on('error', reject);
    outgoing.write(head);
    outgoing.write(sent.bytes);
    outgoing.end(tail);
  });
}

/** Uploads one file. @throws Error for any answer but 201 */
export async function upload(origin: string, token: string, agent: Agent, sent: Sent): Promise<StoredImage> {
  const { status, text } = await post(origin, token, agent, sent);
  if (status !== 201) throw new Error(`the upload of ${sent.name} answered ${status}: ${text}`);
  const [image] = (JSON.parse(text) as { images: StoredImage[] }).images;
  if (image === undefined) throw new Error(`the upload of ${sent.name} answered no image: ${text}`);
  return image;
}

/** GETs a URL and reads it to the end. @returns bytes read @throws Error for any answer but 200 */
export function fetchWhole(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (incoming) => {
      let length = 0;
      incoming.on('data', (part: Buffer) => {
        length += part.length;
      });
      incoming.on('error', reject).on('end', () => {
        if (incoming.statusCode === 200) resolve(length);
        else reject(new Error(`${url} answered ${incoming.statusCode}`));
      });
    })
      .on('error', reject)
      .end();
  });
}

/** Runs `work` for 0 … count-1, at most `atOnce` at a time. */
export async function inLanes(count: number, atOnce: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let number = next++; number < count; number = next++) await work(number);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
