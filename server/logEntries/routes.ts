import {
  exportLogEntries,
  type LogEntry,
  readHttpLogEntries,
  readLogEntries,
  searchedToHeader,
  verifyLogEntries,
} from '#contract/log.ts';
import { exportDeviceLogEntries, readDeviceLogEntries } from '#contract/logRequest.ts';
import { type Call, on } from '#server/endpoints/route.ts';
import { verifyLog } from '#server/logs/verify.ts';
import type { Slice } from '#server/slice.ts';
import { exportEntries } from './export.ts';
import { type Log, readEntries, soughtIn } from './read.ts';

export const logEntries: Slice = {
  routes: [
    on(readLogEntries, call => read({ projectId: call.params.projectId, stream: 'audit' }, call)),
    on(readHttpLogEntries, call => read({ projectId: call.params.projectId, stream: 'http' }, call)),
    on(readDeviceLogEntries, call => read(systemLog(call), call)),

    on(exportLogEntries, async ({ platform, params, query }) =>
      exportEntries(
        platform.db,
        soughtIn({ projectId: params.projectId, stream: 'audit' }, query),
        query.format,
      ),
    ),

    on(exportDeviceLogEntries, async call =>
      exportEntries(call.platform.db, soughtIn(systemLog(call), call.query), call.query.format),
    ),

    on(verifyLogEntries, ({ db, params, query, now }) => verifyLog(db, params.projectId, now, query.head)),
  ],
};

function systemLog({
  projectId = '',
  params,
}: Call<typeof readDeviceLogEntries> | Call<typeof exportDeviceLogEntries>): Log {
  return { projectId, stream: 'system', subject: params.deviceId };
}

async function read(
  log: Log,
  call: Call<typeof readLogEntries> | Call<typeof readHttpLogEntries> | Call<typeof readDeviceLogEntries>,
): Promise<LogEntry[]> {
  const { platform, query } = call;
  const { entries, searchedTo } = await readEntries(platform.db, soughtIn(log, query), query);
  if (searchedTo) call.setHeader(searchedToHeader, searchedTo.toISOString());
  return entries;
}
