import type { HistorySeries } from '#contract/stateHistory.ts';
import { hourMs } from '#rules/time/durations.ts';
import type { RawAnswer } from '#server/api/endpoints/answer.ts';
import type { Platform } from '#server/infra/platform.ts';
import { historyCsv } from './historyCsv.ts';
import { subjectOfClass } from './historyTables.ts';
import { type Asking, chosenFor } from './readHistory.ts';
import type { Chosen } from './resolution.ts';
import { seriesOf } from './series.ts';

type AskingOfOne = Asking & { platform: Pick<Platform, 'db'>; query: { property: string } };

const linesMax = 20_000;
const inFile = { rangeFactor: 4, points: linesMax };

/** Figures are few: a month has 8,640 of five minutes. */
const monthMs = 30 * 24 * hourMs;

/** The complete history of one number of a device in a range, as a file. */
export async function exportedHistory(
  asking: AskingOfOne,
  { projectId, id: deviceId }: { projectId: string; id: string },
): Promise<RawAnswer> {
  const { property } = asking.query;
  const chosen = await chosenFor(asking, projectId, inFile);
  const of = { projectId, subject: deviceId, deviceId, property, isWhole: true };
  return historyCsv(`${deviceId}-${property}`, chosen, seriesInParts(asking, of, chosen));
}

/** The same for all devices of a class together. */
export async function exportedClassHistory(
  asking: AskingOfOne,
  { projectId, id }: { projectId: string; id: string },
): Promise<RawAnswer> {
  const { property } = asking.query;
  const chosen = await chosenFor(asking, projectId, { ...inFile, withoutRaw: true });
  const of = { projectId, subject: subjectOfClass(id), property };
  return historyCsv(`${id}-${property}`, chosen, seriesInParts(asking, of, chosen));
}

/** In parts of the range, one after the other, so that no query reads all reports and memory holds one part. */
async function* seriesInParts(
  { platform }: AskingOfOne,
  of: Parameters<typeof seriesOf>[1],
  chosen: Chosen,
): AsyncGenerator<HistorySeries> {
  const partMs = chosen.resolution === 'raw' ? hourMs : monthMs;
  for (let begin = chosen.begin; begin < chosen.end; ) {
    // Parts end at a whole hour or day, where steps end as well, so that no step is divided.
    const next = new Date((Math.floor(begin.getTime() / partMs) + 1) * partMs);
    const end = next < chosen.end ? next : chosen.end;
    yield* await seriesOf(platform.db, of, { ...chosen, begin, end });
    begin = end;
  }
}
