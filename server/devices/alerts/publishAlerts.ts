import { alertsMakeOld } from '#contract/alert.ts';
import { publishLive } from '#server/api/http/live.ts';
import type { Platform } from '#server/infra/platform.ts';

const gatherMs = 500;

/** Projects whose consoles will be notified soon, by the bus of their platform. True: another notice follows. */
const waiting = new WeakMap<Platform['bus'], Map<string, boolean>>();

/**
 * Notifies open consoles that alerts changed, with a short delay and one notice for all changes until then. The
 * caller's transaction has usually committed by then, and a flood of alerts does not become a flood of notices. Changes
 * shortly before a notice may not be stored yet, so another notice follows.
 */
export function publishAlerts(platform: Pick<Platform, 'bus'>, projectId: string): void {
  const projects = waiting.get(platform.bus) ?? new Map<string, boolean>();
  waiting.set(platform.bus, projects);
  const isWaiting = projects.has(projectId);
  projects.set(projectId, isWaiting);
  if (!isWaiting) publishLater(platform, projectId, projects);
}

function publishLater(
  platform: Pick<Platform, 'bus'>,
  projectId: string,
  projects: Map<string, boolean>,
): void {
  const tell = () => {
    const isAgain = projects.get(projectId);
    projects.delete(projectId);
    const path = `/projects/${projectId}/alerts`;
    publishLive(platform, projectId, { kind: 'changed', path, makesOld: alertsMakeOld });
    if (isAgain) publishAlerts(platform, projectId);
  };
  setTimeout(tell, gatherMs).unref();
}
