import { publishLive } from '#server/api/http/live.ts';
import { repeat } from '#server/infra/pace/repeat.ts';
import type { Platform } from '#server/infra/platform.ts';
import { endDeadGateways, leaseS } from './lease.ts';

const everyMs = 4_000;

/**
 * Every process looks for gateways with expired leases. It trusts an expired lease only after it could itself
 * have renewed one: while the database was unavailable, nobody could.
 */
export function startReaper(platform: Platform): () => Promise<void> {
  let wellSinceMs = performance.now();
  return repeat(
    everyMs,
    async () => {
      if (performance.now() - wellSinceMs < leaseS * 1000) return;
      const projects = new Set<string>();
      await endDeadGateways(platform, ({ projectId }) => projects.add(projectId));
      for (const projectId of projects)
        publishLive(platform, projectId, { kind: 'devices', deviceIds: null });
    },
    error => {
      wellSinceMs = performance.now();
      platform.log('warn', 'Gateways that went down could not be checked', { error: String(error) });
    },
  );
}
