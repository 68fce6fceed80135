import {
  exportLogEntries,
  type LogEntry,
  readHttpLogEntries,
  readLogEntries,
  searchedToHeader,
  verifyLogEntries,
} from '#contract/log.ts';
import type { Slice } from '#server/app.ts';
import { type Call, on } from '#server/http/route.ts';
import type { Stream } from './append.ts';
import { exportEntries } from './export.ts';
import { readEntries, soughtIn } from './read.ts';
import { verifyLog } from './verify.ts';

export const logs: Slice = {
  routes: [
    on(readLogEntries, call => read('audit', call)),
    on(readHttpLogEntries, call => read('http', call)),

    on(exportLogEntries, async ({ platform, params, query }) =>
      exportEntries(platform.db, soughtIn(params.projectId, 'audit', query), query.format),
    ),

    on(verifyLogEntries, ({ db, params, query, now }) => verifyLog(db, params.projectId, now, query.head)),
  ],
};

async function read(
  stream: Stream,
  call: Call<typeof readLogEntries> | Call<typeof readHttpLogEntries>,
): Promise<LogEntry[]> {
  const { platform, params, query } = call;
  const sought = soughtIn(params.projectId, stream, query);
  const { entries, searchedTo } = await readEntries(platform.db, sought, query);
  if (searchedTo) call.setHeader(searchedToHeader, searchedTo.toISOString());
  return entries;
}
