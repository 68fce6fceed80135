import { count as countMetric } from '#server/infra/metrics.ts';
import type { Platform } from '#server/infra/platform.ts';

interface Counted {
  projectId: string;
  deviceClass: string;
}

interface Counts extends Counted {
  in: number;
  out: number;
  bytes: number;
}

/**
 * Counts messages and bytes per device class in memory and flushes the sums periodically, to keep messages cheap.
 */
export class MessageCounts {
  readonly #traffic: Platform['traffic'];
  /** By project, then by class. */
  #counts = new Map<string, Map<string, Counts>>();

  constructor({ traffic }: Pick<Platform, 'traffic'>) {
    this.#traffic = traffic;
  }

  in(device: Counted, bytes: number): void {
    const counts = this.#of(device);
    counts.in += 1;
    counts.bytes += bytes;
  }

  out(device: Counted, bytes: number): void {
    const counts = this.#of(device);
    counts.out += 1;
    counts.bytes += bytes;
  }

  handOn(): void {
    for (const classes of this.#counts.values())
      for (const counts of classes.values()) {
        this.#traffic.countMessages(counts);
        countMetric('mooring_gateway_messages_total', { way: 'in' }, counts.in);
        countMetric('mooring_gateway_messages_total', { way: 'out' }, counts.out);
        countMetric('mooring_gateway_message_bytes_total', {}, counts.bytes);
      }
    this.#counts.clear();
  }

  #of({ projectId, deviceClass }: Counted): Counts {
    const classes = this.#counts.get(projectId) ?? new Map<string, Counts>();
    if (classes.size === 0) this.#counts.set(projectId, classes);
    const known = classes.get(deviceClass);
    if (known) return known;
    const counts = { projectId, deviceClass, in: 0, out: 0, bytes: 0 };
    classes.set(deviceClass, counts);
    return counts;
  }
}
