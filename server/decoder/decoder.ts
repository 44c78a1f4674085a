/** The decoders as the server uses them: one wrapper around the pool, for errors, listeners and tracing. */
import { DecoderUnavailable } from '../errors.ts';
import { asStorageError } from '../storage/failures.ts';
import type { DecodeOptions, DecoderPool } from './pool/pool.ts';
import type { Outcome } from './protocol/messages.ts';

export type DecodeListener = {
  onQueued?(): void;
  onStarted?(path: string): void;
  /** @param started whether `onStarted` was called @param outcome undefined where decoding failed or was aborted */
  onEnded?(started: boolean, outcome: Outcome | undefined): void;
  /** Called if no decoder could start. */
  onUnavailable?(error: unknown): void;
};

type Options = Omit<DecodeOptions, 'onStart'>;

export type Decoder = {
  /**
   * @throws NoSpace, StorageUnavailable if the file cannot be read; DecoderUnavailable if no decoder can start or the
   * pool is closed; the reason of an aborted signal
   */
  decode(path: string, options?: Options): Promise<Outcome>;
  close: DecoderPool['close'];
  /** Pictures that wait for a decoder or are being decoded. */
  pending(): number;
  subscribe(listener: DecodeListener): void;
};

type Wrap = <T>(work: () => Promise<T>) => Promise<T>;

/** @param trace runs around each picture, from its queueing to its end */
export function createDecoder(pool: DecoderPool, trace: Wrap = (work) => work()): Decoder {
  const listeners: DecodeListener[] = [];
  let pending = 0;

  async function decode(path: string, options: Options): Promise<Outcome> {
    let started = false;
    let outcome: Outcome | undefined;
    const onStart = () => {
      // A decoder that is lost before it has read the picture is replaced: the picture starts twice.
      if (started) return;
      started = true;
      for (const listener of listeners) listener.onStarted?.(path);
    };
    pending += 1;
    for (const listener of listeners) listener.onQueued?.();
    try {
      outcome = await trace(() => pool.decode(path, { ...options, onStart }));
      return outcome;
    } catch (error) {
      options.signal?.throwIfAborted();
      const known = asStorageError(error);
      if (known !== error) throw known;
      for (const listener of listeners) listener.onUnavailable?.(error);
      throw Object.assign(new DecoderUnavailable(), { cause: error });
    } finally {
      pending -= 1;
      for (const listener of listeners) listener.onEnded?.(started, outcome);
    }
  }

  return {
    decode: (path, options = {}) => decode(path, options),
    close: () => pool.close(),
    pending: () => pending,
    subscribe: (listener) => void listeners.push(listener),
  };
}
