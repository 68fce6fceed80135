const everyMs = 2_000;
const megabyte = 1e6;

/** Reports progress, rarely enough for a log file and often enough for a person. */
export class Progress {
  #saidAt = performance.now();

  /** Reports the progress of a long step, every two seconds. */
  bytes(what: string, bytes: number): void {
    if (performance.now() - this.#saidAt < everyMs) return;
    this.say(`${what}: ${sizeOf(bytes)}`);
  }

  say(text: string): void {
    this.#saidAt = performance.now();
    process.stderr.write(`${text}\n`);
  }
}

export const figure = (value: number) => value.toLocaleString('en');

export function sizeOf(bytes: number): string {
  return `${(bytes / megabyte).toFixed(1)} MB`;
}

/** `1 file`, `2 files` */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : more}`;
}
