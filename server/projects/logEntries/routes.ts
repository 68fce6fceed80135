import {
  exportLogEntries,
  type LogEntry,
  readAppHttpLogEntries,
  readHttpLogEntries,
  readKeyHttpLogEntries,
  readLogEntries,
  readProxyRouteHttpLogEntries,
  readUserHttpLogEntries,
  searchedToHeader,
  verifyLogEntries,
} from '#contract/log.ts';
import {
  countDeviceLogEntries,
  countHttpLogEntries,
  countLogEntries,
  type LogCounts,
} from '#contract/logCounts.ts';
import { exportDeviceLogEntries, readDeviceLogEntries } from '#contract/logRequest.ts';
import { type Call, on } from '#server/api/endpoints/route.ts';
import { verifyLog } from '#server/api/logs/auditChain/verify.ts';
import { countEntries } from '#server/api/logs/counts.ts';
import type { Slice } from '#server/api/slice.ts';
import { userNames, usersNamed } from '#server/people/users/userNames.ts';
import { exportEntries } from './export.ts';
import { type Log, readEntries, readNear, soughtIn } from './read.ts';

const partsDefault = 96;

export const logEntries: Slice = {
  routes: [
    on(readLogEntries, call => read({ projectId: call.params.projectId, stream: 'audit' }, call)),
    on(readHttpLogEntries, call => readHttp({}, call)),
    on(readUserHttpLogEntries, call => readHttp({ subject: call.params.userId }, call)),
    on(readKeyHttpLogEntries, call => readHttp({ subject: call.params.keyId }, call)),
    on(readAppHttpLogEntries, call => readHttp({ app: call.params.appId }, call)),
    on(readProxyRouteHttpLogEntries, call => readHttp({ proxyRoute: call.params.routeId }, call)),
    on(readDeviceLogEntries, call => read(systemLog(call), call)),

    on(countLogEntries, call => count({ projectId: call.params.projectId, stream: 'audit' }, call)),
    on(countHttpLogEntries, async call => count(await httpLog({}, call), call)),
    on(countDeviceLogEntries, call => count(systemLog(call), call)),

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

    on(verifyLogEntries, ({ db, platform: { sealing }, params, query, now }) =>
      verifyLog({ db, sealing }, params.projectId, now, query.head),
    ),
  ],
};

function systemLog({
  projectId = '',
  params,
}:
  | Call<typeof readDeviceLogEntries>
  | Call<typeof countDeviceLogEntries>
  | Call<typeof exportDeviceLogEntries>): Log {
  return { projectId, stream: 'system', subject: params.deviceId };
}

type HttpRead =
  | Call<typeof readHttpLogEntries>
  | Call<typeof readUserHttpLogEntries>
  | Call<typeof readKeyHttpLogEntries>
  | Call<typeof readAppHttpLogEntries>
  | Call<typeof readProxyRouteHttpLogEntries>;

/**
 * Entries of the HTTP log contain only the ids of users: names in a search are resolved to ids, and names are added to
 * the entries that are returned.
 */
async function readHttp(
  of: Pick<Log, 'subject' | 'app' | 'proxyRoute'>,
  call: HttpRead,
): Promise<LogEntry[]> {
  const { projectId = '', db } = call;
  const entries = await read(await httpLog(of, call), call);
  const names = await userNames(
    db,
    projectId,
    entries.flatMap(({ actor }) => (isUser(actor) ? [actor.id] : [])),
  );
  return entries.map(entry => ({
    ...entry,
    actor: { ...entry.actor, displayName: names.get(entry.actor.id) ?? entry.actor.displayName },
  }));
}

async function httpLog(
  of: Pick<Log, 'subject' | 'app' | 'proxyRoute'>,
  { projectId = '', db, query }: HttpRead | Call<typeof countHttpLogEntries>,
): Promise<Log> {
  const named = query.text ? await usersNamed(db, projectId, query.text) : [];
  return { ...of, projectId, stream: 'http', named };
}

const isUser = ({ callerType }: LogEntry['actor']) => callerType === 'user';

async function read(
  log: Log,
  call: Call<typeof readLogEntries> | Call<typeof readDeviceLogEntries> | HttpRead,
): Promise<LogEntry[]> {
  const { platform, query } = call;
  const { near } = query;
  if (near !== undefined) return readNear(platform.db, soughtIn(log, query), { ...query, near });
  const { entries, searchedTo } = await readEntries(platform.db, soughtIn(log, query), query);
  if (searchedTo) call.setHeader(searchedToHeader, searchedTo.toISOString());
  return entries;
}

function count(
  log: Log,
  {
    platform,
    query,
  }: Call<typeof countLogEntries> | Call<typeof countHttpLogEntries> | Call<typeof countDeviceLogEntries>,
): Promise<LogCounts> {
  return countEntries(platform.db, soughtIn(log, query), query.parts ?? partsDefault);
}
