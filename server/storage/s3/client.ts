/** The SDK's clients of one S3 server: how long they wait, and how many connections they hold. */
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { S3Settings } from './settings.ts';

/** Milliseconds. */
export const defaultRetryPolicy = {
  /** For a connection. */
  connect: 3_000,
  /** From a call to the head of its answer, but for those that send a body. */
  answer: 6_000,
  /** Without a byte in either direction. */
  silence: 15_000,
  /** Since its first attempt, in which a call is tried again. */
  again: 4_000,
};

export type RetryPolicy = typeof defaultRetryPolicy;

/** Connections at once to the server; more calls wait for one. What is read long has its own, so that nothing else waits for it. */
export const defaultSockets = { objects: 128, others: 64 };

const silent = () => undefined;

/** The time for a connection begins with it: a call that waits until another is done with its own is not refused for that. */
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

/** Loads the SDK, which only who stores there has to pay for. */
export async function openClients(settings: S3Settings, patience: RetryPolicy, most: typeof defaultSockets) {
  // Its version is pinned, and fits Node's: what later ones will need is nothing to tell the administrator at each command.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
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
      // The payload's hash is signed, which every server verifies; further checksums not all of them know.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      expectContinueHeader: false,
      // What fails is told by whoever called.
      logger: { trace: silent, debug: silent, info: silent, warn: silent, error: silent },
      requestHandler: {
        socketTimeout: patience.silence,
        httpAgent: connectWithin(patience.connect, new Agent(sockets)),
        httpsAgent: connectWithin(patience.connect, new TlsAgent(sockets)) as TlsAgent,
      },
    });
  }

  const [objects, client] = [openClient(most.objects), openClient(most.others)];
  return {
    sdk,
    client,
    /** For the bytes of objects. */
    objects,
    close(): void {
      objects.destroy();
      client.destroy();
    },
  };
}
