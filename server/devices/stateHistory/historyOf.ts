import { type Change, changeBy } from '#rules/state/changeBy.ts';
import { numbersSaid } from '#rules/state/stateNumbers.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** What the history stores of a report. */
export interface HistoryReport {
  projectId: string;
  deviceId: string;
  at: Date;
  /** The change of the state. */
  change: Change | undefined;
  /** The numbers in the report by path, as JSON. */
  numbers: string | undefined;
  /** The runs of modules that led to the report, oldest first. */
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
