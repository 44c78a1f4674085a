import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { S3Settings } from '../settings.ts';

/** Milliseconds. */
export const defaultTimeouts = {
  connect: 3_000,
  /** From a call to the headers of its response, except for calls with a body. */
  answer: 6_000,
  /** Without a byte in either direction. */
  silence: 15_000,
  /** After the first attempt, in which a call is retried. */
  again: 4_000,
};

export type CallTimeouts = typeof defaultTimeouts;

/** Connections to the server; further calls wait. Long reads have a separate pool, so that others need not wait. */
export const defaultSockets = { objects: 128, others: 64 };

const silent = () => undefined;

/** Starts the connect timeout with the connection, so that it excludes the wait for a free one. */
function connectWithin(time: number, agent: Agent): Agent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback) as Socket;
    const late = setTimeout(() => {
      socket.destroy(Object.assign(new Error(`no connection within ${time} ms`), { code: 'ETIMEDOUT' }));
    }, time);
    const stop = () => clearTimeout(late);
    socket.once('connect', stop).once('close', stop);
    return socket;
  };
  return agent;
}

export type Clients = Awaited<ReturnType<typeof openClients>>;

export async function openClients(settings: S3Settings, timeouts: CallTimeouts, max: typeof defaultSockets) {
  const sdk = await import('@aws-sdk/client-s3');
  const { endpoint, region, accessKeyId, secretAccessKey, forcePathStyle } = settings;

  function openClient(maxSockets: number) {
    const sockets = { keepAlive: true, maxSockets };
    return new sdk.S3Client({
      ...(endpoint ? { endpoint } : {}),
      region,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle,
      maxAttempts: 1,
      // The signed payload hash is verified by every server; not all of them know further checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      expectContinueHeader: false,
      // Callers report failures.
      logger: { trace: silent, debug: silent, info: silent, warn: silent, error: silent },
      requestHandler: {
        socketTimeout: timeouts.silence,
        httpAgent: connectWithin(timeouts.connect, new Agent(sockets)),
        httpsAgent: connectWithin(timeouts.connect, new TlsAgent(sockets)) as TlsAgent,
      },
    });
  }

  const [objects, client] = [openClient(max.objects), openClient(max.others)];
  return {
    sdk,
    client,
    objects,
    close(): void {
      objects.destroy();
      client.destroy();
    },
  };
}
