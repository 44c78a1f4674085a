/** Requests by route template: paths may contain secret link keys, and are unbounded. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export type HttpMeter = {
  begin(): void;
  /** `status`: undefined if the client disconnected before the end. */
  end(route: string, method: string, status: number | undefined, seconds: number): void;
};

const labelNames = ['route', 'method', 'status'] as const;
const classOf = (status: number | undefined) => (status === undefined ? 'aborted' : `${Math.floor(status / 100)}xx`);

export function httpMeter(registry: Registry): HttpMeter {
  let inFlight = 0;
  const registers = [registry];
  const requests = new Counter({
    name: 'gallery_http_requests_total',
    help: 'Requests answered, by route template, method and class of the status; "aborted" where the client went away.',
    labelNames,
    registers,
  });
  const durations = new Histogram({
    name: 'gallery_http_request_duration_seconds',
    help: 'From the head of a request to the end of its answer.',
    labelNames,
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  new Gauge({
    name: 'gallery_http_requests_in_flight',
    help: 'Requests that are being answered now.',
    registers,
    collect() {
      this.set(inFlight);
    },
  });

  return {
    begin() {
      inFlight += 1;
    },
    end(route, method, code, seconds) {
      inFlight -= 1;
      const labels = { route, method, status: classOf(code) };
      requests.inc(labels);
      durations.observe(labels, seconds);
    },
  };
}
