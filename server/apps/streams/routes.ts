import { createStreamTicket, openStream } from '#contract/appApi/stream.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch } from '#server/infra/jobs/housekeeping.ts';
import { open } from './openStream.ts';
import { saying } from './openStreams.ts';
import { createTicket } from './streamTickets.ts';

export const streams: Slice = {
  tables: {
    stream_tickets: 'A ticket that opens an event stream once.',
    open_streams: 'The number of event streams of an app that a process has open.',
  },
  appRoutes: [
    on(openStream, open),
    on(createStreamTicket, ({ db, inApp, user, now }) =>
      createTicket(
        db,
        { projectId: inApp.projectId, appId: inApp.id, userId: user.id, sessionId: user.sessionId },
        now,
      ),
    ),
  ],
  chores: [
    {
      name: 'tickets of event streams',
      deletes: now => sql`
        delete from stream_tickets where (project_id, hash) in (
          select project_id, hash from stream_tickets where expires_at < ${now} limit ${batch}) returning 1`,
    },
    {
      name: 'counts of event streams',
      deletes: now => sql`
        delete from open_streams where (project_id, app_id, process) in (
          select project_id, app_id, process from open_streams
          where seen_at < ${new Date(now.getTime() - saying.forMs)} limit ${batch}) returning 1`,
    },
  ],
};
