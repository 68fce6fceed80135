import { type AlertSeverity, alertTextMax } from '#contract/alert.ts';
import { Problem } from '#contract/problem.ts';
import type { Db } from '#server/db/sql.ts';
import type { Platform } from '#server/platform.ts';
import type { AlertKey, AlertSource } from './alertReports.ts';
import { keepAlerts } from './keepAlerts.ts';
import { tellAlerts } from './tellAlerts.ts';

type Needs = Pick<Platform, 'newId' | 'bus'>;

export interface Raising {
  projectId: string;
  deviceId: string;
  severity: AlertSeverity;
  text: string;
  /** Reports of one device with one key are one alert; a module has keys of its own. Absent: it has one alert a device. */
  key?: string;
  source: AlertSource;
  ts: Date;
  /** How long the chain is of modules that led to it. */
  hop?: number;
}

/**
 * Raises an alert, in the caller's transaction; one that is there already and not resolved counts one more report, and is
 * not new. Open consoles hear of it a moment later.
 */
export async function raiseAlert(
  db: Db,
  platform: Needs,
  { key, text, ...given }: Raising,
): Promise<{ id: string; isNew: boolean }> {
  const report = {
    ...given,
    key: key ?? keyOf(given.source),
    text: shortened(text),
    resolved: false,
  } as const;
  const [kept] = await keepAlerts(db, platform, [report]);
  if (!kept) throw new Problem('DEVICE_NOT_FOUND');
  tellAlerts(platform, given.projectId);
  return { id: kept.id, isNew: kept.isNew };
}

/** Resolves what the same source raised with this key, because it no longer holds. False: nothing was to be resolved. */
export async function resolveAlert(
  db: Db,
  platform: Needs,
  {
    key,
    text = '',
    ...given
  }: Omit<AlertKey, 'key'> & { key?: string | undefined; ts: Date; text?: string | undefined },
): Promise<boolean> {
  const report = {
    ...given,
    key: key ?? keyOf(given.source),
    text: shortened(text),
    resolved: true,
  } as const;
  const kept = await keepAlerts(db, platform, [report]);
  if (kept.length > 0) tellAlerts(platform, given.projectId);
  return kept.length > 0;
}

const keyOf = (source: AlertSource) => (source.kind === 'device' ? source.event : 'alert');

/** What a rule writes may be longer than what devices may send. */
const shortened = (text: string) =>
  text.length <= alertTextMax ? text : `${[...text].slice(0, alertTextMax - 1).join('')}…`;
