import { type Change, changeBy } from '#rules/state/changeBy.ts';
import { numbersSaid } from '#rules/state/stateNumbers.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** What a report means for the history of its device. */
export interface HistoryReport {
  projectId: string;
  deviceId: string;
  at: Date;
  /** What it changed. */
  change: Change | undefined;
  /** The numbers that it said by path, as JSON. */
  numbers: string | undefined;
  /** The runs of modules that led to it, first to last. */
  causedBy?: readonly string[];
}

/** A report that was merged into a state. */
export interface MergedReport extends Pick<HistoryReport, 'projectId' | 'deviceId' | 'at'> {
  before: JsonObject;
  said: JsonObject;
  after: JsonObject;
}

export function historyOf(report: MergedReport): HistoryReport {
  const { projectId, deviceId, at, before, said, after } = report;
  return { projectId, deviceId, at, change: changeBy(before, said), numbers: numbersSaid(after, said) };
}
