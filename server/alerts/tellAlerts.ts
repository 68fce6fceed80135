import { alertsMakeOld } from '#contract/alert.ts';
import { tellLive } from '#server/http/live.ts';
import type { Platform } from '#server/platform.ts';

const gatherMs = 500;

/** Projects whose consoles are about to hear of it, by the bus they hear it on; true: once more after that. */
const waiting = new WeakMap<Platform['bus'], Map<string, boolean>>();

/**
 * Tells open consoles that alerts changed, a moment later and once for all that happens until then: by then, what the
 * caller's transaction wrote is there to be read, and a flood of alerts is not one of notices. What comes shortly before
 * a notice may not be stored by then: another follows.
 */
export function tellAlerts(platform: Pick<Platform, 'bus'>, projectId: string): void {
  const projects = waiting.get(platform.bus) ?? new Map<string, boolean>();
  waiting.set(platform.bus, projects);
  const isWaiting = projects.has(projectId);
  projects.set(projectId, isWaiting);
  if (!isWaiting) tellLater(platform, projectId, projects);
}

function tellLater(platform: Pick<Platform, 'bus'>, projectId: string, projects: Map<string, boolean>): void {
  const tell = () => {
    const isAgain = projects.get(projectId);
    projects.delete(projectId);
    const path = `/projects/${projectId}/alerts`;
    tellLive(platform, projectId, { kind: 'changed', path, makesOld: alertsMakeOld });
    if (isAgain) tellAlerts(platform, projectId);
  };
  setTimeout(tell, gatherMs).unref();
}
