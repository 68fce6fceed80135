import { hourMs } from '#rules/time/durations.ts';

const otherwiseMs = 30_000;
const leastMs = 1_000;
const mostMs = 6 * hourMs;

/** The platform answered 429 or 503; the call is retried after the time it asked for. */
export class Busy extends Error {
  readonly ms: number;

  constructor({ status, headers }: Response) {
    super(`The platform answers ${status}.`);
    const text = headers.get('retry-after') ?? '';
    const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
    this.ms = Number.isNaN(ms) ? otherwiseMs : Math.min(Math.max(ms, leastMs), mostMs);
  }

  static is({ status }: Response): boolean {
    return status === 429 || status === 503;
  }
}
