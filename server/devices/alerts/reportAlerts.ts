import { alertTextMax } from '#contract/alert.ts';
import { overflowKey } from '#rules/devices/alertLimits.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import {
  type AlertKey,
  type AlertReport,
  type AlertSaid,
  type AlertSource,
  placeOf,
} from './alertReports.ts';
import { publishAlerts } from './publishAlerts.ts';
import { type StoredAlert, storeAlerts } from './storeAlerts.ts';

/**
 * Reports of one device with the same key are one alert. A module has its own keys; without a key, it has one alert per
 * device.
 */
export type AlertAsked = Omit<AlertKey, 'key'> & { key?: string } & AlertSaid;

/**
 * Raises and resolves alerts, in the caller's transaction. A report of an existing, unresolved alert increases its
 * count, and the alert is not new. Open consoles are notified a moment later. Undefined: the device does not exist, or
 * there was nothing to resolve.
 */
export async function reportAlerts(
  db: Db,
  platform: Pick<Platform, 'newId' | 'bus'>,
  asked: readonly AlertAsked[],
): Promise<(Pick<StoredAlert, 'id' | 'isNew'> | undefined)[]> {
  const reports = asked.map(
    (one): AlertReport => ({ ...one, key: one.key ?? keyOf(one.source), text: shortened(one.text) }),
  );
  const kept = await storeAlerts(db, platform, reports);
  for (const projectId of new Set(kept.map(one => one.projectId))) publishAlerts(platform, projectId);
  const byPlace = new Map(kept.map(one => [fullPlace(one), one]));
  return reports.map(({ projectId, deviceId, key, source, resolved }) => {
    const at = { projectId, deviceId, moduleId: source.kind === 'module' ? source.moduleId : '' };
    // If the device has too many different alerts, this is the one that stands for all further ones.
    return (
      byPlace.get(fullPlace({ ...at, key })) ??
      (resolved ? undefined : byPlace.get(fullPlace({ ...at, key: overflowKey })))
    );
  });
}

const fullPlace = ({ projectId, ...at }: Parameters<typeof placeOf>[0] & { projectId: string }) =>
  `${projectId} ${placeOf(at)}`;

const keyOf = (source: AlertSource) => (source.kind === 'device' ? source.event : 'alert');

/** Texts written by rules may be longer than devices may send. */
const shortened = (text: string) =>
  text.length <= alertTextMax ? text : `${[...text].slice(0, alertTextMax - 1).join('')}…`;
