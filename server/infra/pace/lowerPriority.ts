import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread and of the threads it starts from then on, because devices and people wait
 * for other threads. Only on Linux, where each thread has its own priority.
 */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
}
