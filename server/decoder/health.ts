import type { FastifyBaseLogger } from 'fastify';
import type { DecodeListener } from './decoder.ts';
import type { Outcome } from './protocol/messages.ts';

/** Milliseconds without a decoded picture after which a trial picture is decoded. */
const TRIAL_AFTER = { working: 300_000, broken: 10_000 };

export type DecoderHealth = {
  /** Whether the last attempt to decode a picture had a decoder. */
  isWorking(): boolean;
  worked(): void;
  unavailable(error: unknown): void;
  readonly listener: DecodeListener;
  close(): void;
};

/**
 * Decoders may break while the server runs, for instance if Node is replaced below it.
 * @param decodeTrial passes a sound picture to decoders that report to the listener
 */
export function createDecoderHealth(
  log: Pick<FastifyBaseLogger, 'error' | 'info'>,
  decodeTrial: () => Promise<Outcome>,
  after: typeof TRIAL_AFTER = TRIAL_AFTER,
): DecoderHealth {
  let working: boolean | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function schedule(): void {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(attempt, working ? after.working : after.broken).unref();
  }

  function attempt(): void {
    decodeTrial().then(
      (outcome) => outcome.ok || unavailable(new Error(outcome.failure.detail)),
      schedule, // the disk may be full: shows nothing
    );
  }

  function worked(): void {
    if (working === false) log.info('pictures can be decoded again');
    working = true;
    schedule();
  }

  function unavailable(err: unknown): void {
    if (closed) return;
    if (working !== false) log.error({ err }, 'pictures cannot be decoded: uploads are refused until they can');
    working = false;
    schedule();
  }

  return {
    isWorking: () => working === true,
    worked,
    unavailable,
    listener: {
      onEnded(_started, outcome) {
        if (outcome?.ok) worked();
      },
      onUnavailable: unavailable,
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
