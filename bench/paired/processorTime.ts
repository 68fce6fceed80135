import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ, which is the same on every Linux. */
const ticksPerS = 100;

interface Process {
  parent: number;
  /** Its own time, and that of its children that have ended. */
  ms: number;
}

/** The processor time that a process has taken so far, with its children, in milliseconds. */
export function processorMs(pid: number): number {
  const children = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => readProcess(Number(name)))
    .filter(one => one?.parent === pid);
  return [readProcess(pid), ...children].reduce((sum, one) => sum + (one?.ms ?? 0), 0);
}

/** Undefined: it ended meanwhile. */
function readProcess(pid: number): Process | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in brackets may hold anything; what follows it are numbers, from the state on.
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = words.slice(11, 15).reduce((sum, word) => sum + Number(word), 0);
  return { parent: Number(words[1]), ms: (ticks / ticksPerS) * 1000 };
}
