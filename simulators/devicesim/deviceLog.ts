import { createStore } from '#console/core/store.ts';
import type { Device, LogLine, LogRequest, LogRequestEnd } from '#sdk/device.ts';
import type { LogLevel } from '#sdk/logLevels.ts';
import { isOneOf, persistedStore } from './persistedStore.ts';

/** A line with its number. */
export interface OwnLine extends LogLine {
  key: number;
}

export interface AnsweredRequest {
  id: string;
  at: Date;
  start: Date;
  end: Date;
  prefixes: readonly string[];
  outcome: 'answering' | LogRequestEnd;
}

/** The number of lines that a small device could store. */
const linesMax = 2_000;
const requestsMax = 20;
const chatterMs = 1_000;
const chatter: readonly [LogLevel, string][] = [
  ['debug', 'loop: 20 ms'],
  ['info', 'wifi: signal -61 dBm'],
  ['debug', 'sensor: read'],
  ['info', 'heap: 142 kB free'],
  ['warn', 'wifi: signal -78 dBm'],
];

/** The device's own log: stores lines, sends them live, and uploads them on request. */
export class DeviceLog {
  readonly lines = createStore<readonly OwnLine[]>([]);
  readonly requests = createStore<readonly AnsweredRequest[]>([]);
  /** True: somebody watches the log live. */
  readonly isWatched = createStore(false);
  readonly gives = persistedStore('gives', 'lines', isOneOf('lines', 'nothing', 'failure'));
  readonly chatters = createStore(false);
  readonly #device: Device;
  #count = 0;

  constructor(device: Device) {
    this.#device = device;
    device.onLogWanted(wanted => this.isWatched.set(wanted));
    device.onLogRequest(request => this.#give(request));
    this.chatters.subscribe(() => this.#chatter(0));
  }

  write(level: LogLevel, text: string): void {
    const line = { key: ++this.#count, ts: new Date(), level, text };
    this.lines.set([...this.lines.get(), line].slice(-linesMax));
    this.#device.log(level, text);
  }

  #give(request: LogRequest): Iterable<LogLine> | undefined {
    const { id, start, end, prefixes, ended } = request;
    const others = this.requests.get().filter(one => one.id !== id);
    const row = { id, at: new Date(), start, end, prefixes, outcome: 'answering' as const };
    this.requests.set([row, ...others].slice(0, requestsMax));
    void ended.then(outcome =>
      this.requests.set(this.requests.get().map(one => (one.id === id ? { ...one, outcome } : one))),
    );
    if (this.gives.get() === 'failure') throw new Error('The flash memory could not be read.');
    return this.gives.get() === 'lines' ? this.lines.get() : undefined;
  }

  #chatter(at: number): void {
    if (!this.chatters.get()) return;
    const [level, text] = chatter[at % chatter.length] ?? ['debug', 'loop'];
    this.write(level, text);
    setTimeout(() => this.#chatter(at + 1), chatterMs);
  }
}
