/** The period to average over: long enough to be steady, short enough to notice a change. */
const windowMs = 10_000;

/** The recent pace of an upload. */
export class Pace {
  readonly #marks: { at: number; bytes: number }[] = [];
  #sent = 0;

  /** Bytes sent; negative if a part has to be sent again. */
  add(bytes: number, at: number): void {
    this.#sent += bytes;
    this.#marks.push({ at, bytes: this.#sent });
    while (this.#marks.length > 2 && (this.#marks[1]?.at ?? at) < at - windowMs) this.#marks.shift();
  }

  /** After a break the time without sending does not count. */
  restart(): void {
    this.#marks.length = 0;
  }

  /** Undefined: not known yet. */
  bytesPerS(now: number): number | undefined {
    const [first] = this.#marks;
    if (!first || now - first.at < 500) return undefined;
    const bytes = this.#sent - first.bytes;
    return bytes > 0 ? (bytes * 1000) / (now - first.at) : undefined;
  }
}

/** "about 24 s left", in steps that do not flicker. */
export function timeLeft(bytes: number, bytesPerS: number | undefined): string | undefined {
  if (bytesPerS === undefined || bytes <= 0) return undefined;
  const seconds = bytes / bytesPerS;
  if (seconds < 5) return 'a few seconds left';
  if (seconds < 60) return `about ${Math.ceil(seconds / 5) * 5} s left`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `about ${minutes} min left`;
  const hours = Math.floor(minutes / 60);
  return `about ${hours} h${minutes % 60 ? ` ${minutes % 60} min` : ''} left`;
}
