import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#server/infra/db/postgres.ts';
import type { Cluster } from './cluster.ts';
import { adopt, launch, type Postmaster, terminate } from './postmaster.ts';
import { isAlive } from './processes.ts';

/** A server that is restarted whenever it ends, until it is stopped. */
export interface Supervised {
  /** Undefined while it restarts. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

const backOffMs = [0, 100, 200, 400, 800, 1_600, 3_200];
const backOffMaxMs = 5_000;

export async function supervise(cluster: Cluster, options: string[], log: Log): Promise<Supervised> {
  const stopping = new AbortController();
  let current: Postmaster | undefined = (await adopt(cluster, options)) ?? (await launch(cluster, options));

  async function keepAlive(): Promise<void> {
    while (current) {
      const { pid, gone } = current;
      await gone;
      current = undefined;
      if (stopping.signal.aborted) return;
      log.warn(`PostgreSQL (process ${pid}) ended unexpectedly and is being restarted.`);
      current = await startAgain();
    }
  }

  /**
   * Retries for as long as this process runs: an operator who frees space on a full disk does not have to restart
   * anything.
   */
  async function startAgain(): Promise<Postmaster | undefined> {
    for (let attempt = 0; ; attempt++) {
      await pause(backOffMs[attempt] ?? backOffMaxMs, undefined, { signal: stopping.signal }).catch(
        () => undefined,
      );
      if (stopping.signal.aborted) return undefined;
      try {
        const postmaster = await launch(cluster, options);
        log.warn(`PostgreSQL is running again (process ${postmaster.pid}).`);
        // The stop may have been requested while the server started.
        if (stopping.signal.aborted) await terminate(cluster, postmaster);
        return postmaster;
      } catch (error) {
        log.warn(error instanceof Error ? error.message : String(error));
      }
    }
  }

  /** If the process ends without stopping the server, by `process.exit` or an error, no server is left behind. */
  function stopInPassing(): void {
    if (current && isAlive(current.pid)) process.kill(current.pid, 'SIGINT');
  }

  const kept = keepAlive();
  process.once('exit', stopInPassing);
  return {
    pid: () => current?.pid,
    async stop() {
      stopping.abort();
      if (current) await terminate(cluster, current);
      await kept;
      process.off('exit', stopInPassing);
    },
  };
}
