import { alertTextMax, overflowKey } from '#contract/alert.ts';
import type { Db } from '#server/db/sql.ts';
import type { Platform } from '#server/platform.ts';
import {
  type AlertKey,
  type AlertReport,
  type AlertSaid,
  type AlertSource,
  placeOf,
} from './alertReports.ts';
import { type KeptAlert, keepAlerts } from './keepAlerts.ts';
import { tellAlerts } from './tellAlerts.ts';

/** Reports of one device with one key are one alert; a module has keys of its own. Without one it has one alert a device. */
export type AlertAsked = Omit<AlertKey, 'key'> & { key?: string } & AlertSaid;

/**
 * Raises and resolves alerts, in the caller's transaction; one that is there already and not resolved counts one more
 * report, and is not new. Open consoles hear of it a moment later. Undefined: the device does not exist, or there was
 * nothing to be resolved.
 */
export async function reportAlerts(
  db: Db,
  platform: Pick<Platform, 'newId' | 'bus'>,
  asked: readonly AlertAsked[],
): Promise<(Pick<KeptAlert, 'id' | 'isNew'> | undefined)[]> {
  const reports = asked.map(
    (one): AlertReport => ({ ...one, key: one.key ?? keyOf(one.source), text: shortened(one.text) }),
  );
  const kept = await keepAlerts(db, platform, reports);
  for (const projectId of new Set(kept.map(one => one.projectId))) tellAlerts(platform, projectId);
  const byPlace = new Map(kept.map(one => [fullPlace(one), one]));
  return reports.map(({ projectId, deviceId, key, source, resolved }) => {
    const at = { projectId, deviceId, moduleId: source.kind === 'module' ? source.moduleId : '' };
    // Of too many different ones it is that which all others are reported as.
    return (
      byPlace.get(fullPlace({ ...at, key })) ??
      (resolved ? undefined : byPlace.get(fullPlace({ ...at, key: overflowKey })))
    );
  });
}

const fullPlace = ({ projectId, ...at }: Parameters<typeof placeOf>[0] & { projectId: string }) =>
  `${projectId} ${placeOf(at)}`;

const keyOf = (source: AlertSource) => (source.kind === 'device' ? source.event : 'alert');

/** What a rule writes may be longer than what devices may send. */
const shortened = (text: string) =>
  text.length <= alertTextMax ? text : `${[...text].slice(0, alertTextMax - 1).join('')}…`;
