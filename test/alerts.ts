import type { AlertSeverity } from '#contract/alert.ts';
import { reportAlerts } from '#server/devices/alerts/reportAlerts.ts';
import type { World } from './world.ts';

interface Given {
  key?: string;
  severity?: AlertSeverity;
  text?: string;
  moduleId?: string;
  ts?: Date;
}

/** Raises an alert of a device as one of its events or as a smart module would. */
export async function anAlert(
  { platform }: World,
  { projectId, deviceId }: { projectId: string; deviceId: string },
  { key = 'smoke', severity = 'warning', text = 'Smoke', moduleId, ts = platform.clock() }: Given = {},
): Promise<{ id: string; isNew: boolean }> {
  const source =
    moduleId === undefined
      ? ({ kind: 'device', eventId: platform.newId('evt', ts), event: key } as const)
      : ({ kind: 'module', moduleId, runId: platform.newId('run', ts) } as const);
  const asked = { projectId, deviceId, key, resolved: false, severity, text, source, ts } as const;
  const [kept] = await platform.db.tx(db => reportAlerts(db, platform, [asked]));
  if (!kept) throw new Error('The alert was not kept.');
  return kept;
}
