import { constants, setPriority } from 'node:os';

/**
 * The thread that calls it, and those it starts from then on, have the processor when no other wants it: what devices and
 * people wait for comes first. On Linux, where each thread has a priority of its own.
 */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
}
