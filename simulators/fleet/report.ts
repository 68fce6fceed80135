import { figure, type Verdict } from './checks.ts';
import type { Fleet } from './fleet.ts';
import type { Progress } from './simulate.ts';

/** On a terminal, the progress line is overwritten; in a file, there is one line every ten seconds. */
export function showProgress(out: NodeJS.WriteStream): Progress & { stop(): void } {
  const everyMs = out.isTTY ? 500 : 10_000;
  const beganMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const clear = () => void (out.isTTY && out.write('\r\u001b[K'));
  return {
    say(line) {
      clear();
      out.write(`${line}\n`);
    },
    watch(fleet) {
      timer = setInterval(() => {
        clear();
        out.write(lineOf(fleet, (performance.now() - beganMs) / 1000) + (out.isTTY ? '' : '\n'));
      }, everyMs);
    },
    stop() {
      clearInterval(timer);
      clear();
    },
  };
}

function lineOf({ members, connected, sent, kept }: Fleet, seconds: number): string {
  const memory = Math.round(process.memoryUsage.rss() / 1024 ** 2);
  return [
    `${seconds.toFixed(0).padStart(4)} s`,
    `connected ${figure(connected)} of ${figure(members.length)}`,
    `events ${figure(kept)} of ${figure(sent)} stored`,
    `${memory} MB`,
  ].join('   ');
}

const words = new Map([
  [true, 'ok'],
  [false, 'FAILED'],
  [undefined, '–'],
]);

export function tableOf(verdicts: readonly Verdict[]): string {
  const width = Math.max(...verdicts.map(({ check }) => check.length));
  return verdicts
    .map(({ check, ok, figures }) => `${check.padEnd(width)}  ${words.get(ok)?.padEnd(6)}  ${figures}`)
    .join('\n');
}
