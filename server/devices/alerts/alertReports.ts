import type { AlertBy, AlertSeverity } from '#contract/alert.ts';
import type { AlertStep } from './alertCourse.ts';

/** The source of an alert: an event of a device, or a run of a smart module. */
export type AlertSource =
  | { kind: 'device'; eventId: string; event: string }
  | { kind: 'module'; moduleId: string; runId: string };

export interface AlertKey {
  projectId: string;
  deviceId: string;
  key: string;
  source: AlertSource;
}

/** A report that something is wrong with a device, or no longer is. */
export type AlertReport = AlertKey & AlertSaid;

/** The content of a report. */
export type AlertSaid = { ts: Date } & (Raised | { resolved: true; text: string });

interface Raised {
  resolved: false;
  severity: AlertSeverity;
  text: string;
  /** The length of the chain of modules that led to it. */
  hop?: number | undefined;
  /** True: the rule that raises it resolves it as well. */
  endsWithCondition?: boolean | undefined;
}

/** All reports of one alert that are stored together. */
export interface AlertBatch extends AlertKey {
  moduleId: string;
  /** How many reports say that something is wrong. */
  count: number;
  firstAt: Date;
  lastAt: Date;
  severity: AlertSeverity;
  text: string;
  hop: number;
  endsWithCondition: boolean;
  steps: readonly AlertStep[];
}

const separator = '\u0000';

const moduleOf = (source: AlertSource) => (source.kind === 'module' ? source.moduleId : '');

export const placeOf = (at: { deviceId: string; moduleId: string; key: string }) =>
  [at.deviceId, at.moduleId, at.key].join(separator);

/** One batch for each alert, sorted, so that concurrent writers lock rows in the same order. */
export function batchesOf(reports: readonly AlertReport[]): AlertBatch[] {
  const batches = new Map<string, AlertBatch>();
  for (const report of reports) {
    const { projectId, deviceId, key, source, ts } = report;
    const moduleId = moduleOf(source);
    const place = `${projectId}${separator}${placeOf({ deviceId, moduleId, key })}`;
    const none = {
      severity: 'info' as const,
      text: '',
      hop: 0,
      endsWithCondition: false,
      count: 0,
      firstAt: ts,
      steps: [],
    };
    const before = batches.get(place) ?? none;
    const same = { projectId, deviceId, key, moduleId, source };
    const { count, firstAt } = before;
    const steps = [...before.steps, stepOf(report)];
    const after: AlertBatch = report.resolved
      ? { ...before, ...same, lastAt: ts, steps }
      : {
          ...same,
          severity: report.severity,
          text: report.text,
          hop: report.hop ?? 0,
          endsWithCondition: report.endsWithCondition ?? false,
          count: count + 1,
          firstAt: count === 0 ? ts : firstAt,
          lastAt: ts,
          steps,
        };
    batches.set(place, after);
  }
  return [...batches].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, batch]) => batch);
}

const stepOf = (report: AlertReport): AlertStep =>
  report.resolved
    ? { at: report.ts, resolved: true, note: report.text }
    : { at: report.ts, resolved: false, severity: report.severity };

/** The author of the change that a report causes. */
export function byOf({ deviceId, source }: AlertKey): AlertBy {
  return source.kind === 'module'
    ? { type: 'module', id: source.moduleId }
    : { type: 'device', id: deviceId };
}
