import type { AlertSeverity } from '#contract/alert.ts';
import { raiseAlert } from '#server/alerts/raiseAlert.ts';
import type { World } from './world.ts';

interface Given {
  key?: string;
  severity?: AlertSeverity;
  text?: string;
  moduleId?: string;
  ts?: Date;
}

/** Raises an alert of a device as an event of its own would, or else as a smart module does. */
export function anAlert(
  { platform }: World,
  { projectId, deviceId }: { projectId: string; deviceId: string },
  { key = 'smoke', severity = 'warning', text = 'Smoke', moduleId, ts = platform.clock() }: Given = {},
): Promise<{ id: string; isNew: boolean }> {
  const source =
    moduleId === undefined
      ? ({ kind: 'device', eventId: platform.newId('evt', ts), event: key } as const)
      : ({ kind: 'module', moduleId, runId: platform.newId('run', ts) } as const);
  return platform.db.tx(db =>
    raiseAlert(db, platform, { projectId, deviceId, key, severity, text, source, ts }),
  );
}
