import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ, which is the same on every Linux. */
const ticksPerS = 100;

interface Process {
  parent: number;
  /** Its own CPU time, and that of its children that have ended. */
  ms: number;
}

/** The CPU time that a process and its children have used so far, in milliseconds. */
export function processorMs(pid: number): number {
  const children = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => readProcess(Number(name)))
    .filter(one => one?.parent === pid);
  return [readProcess(pid), ...children].reduce((sum, one) => sum + (one?.ms ?? 0), 0);
}

/** Undefined: the process has ended. */
function readProcess(pid: number): Process | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may contain anything; the fields after it start with the state.
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = words.slice(11, 15).reduce((sum, word) => sum + Number(word), 0);
  return { parent: Number(words[1]), ms: (ticks / ticksPerS) * 1000 };
}
