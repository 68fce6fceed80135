import { alertsMakeOld } from '#contract/alert.ts';
import { tellLive } from '#server/http/live.ts';
import type { Platform } from '#server/platform.ts';

const gatherMs = 500;

/** Projects whose consoles are about to hear of it, by the bus they hear it on. */
const waiting = new WeakMap<Platform['bus'], Set<string>>();

/**
 * Tells open consoles that alerts changed, a moment later and once for all that happens until then: by then, what the
 * caller's transaction wrote is there to be read, and a flood of alerts is not one of notices.
 */
export function tellAlerts(platform: Pick<Platform, 'bus'>, projectId: string): void {
  const projects = waiting.get(platform.bus) ?? new Set();
  waiting.set(platform.bus, projects.add(projectId));
  if (projects.size > 1) return;
  const tell = () => {
    waiting.delete(platform.bus);
    for (const id of projects)
      tellLive(platform, id, { kind: 'changed', path: `/projects/${id}/alerts`, makesOld: alertsMakeOld });
  };
  setTimeout(tell, gatherMs).unref();
}
