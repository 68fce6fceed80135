import { alertsMakeOld, readAlertAction } from '#contract/alert.ts';
import { pathOf } from '#contract/client.ts';
import { publishLive } from '#server/api/http/live.ts';
import { changeAlerts, lockAlerts } from '#server/devices/alerts/changeAlerts.ts';
import { bulkActionJob } from '#server/infra/jobs/bulkActionJob.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import type { Task } from '#server/infra/jobs/jobs.ts';
import type { Platform } from '#server/infra/platform.ts';
import { alertActionStore, changeOf, nextAlerts, stillMatching } from './store.ts';

declare module '#server/infra/jobs/enqueue.ts' {
  interface Jobs {
    actOnAlerts: { projectId: string; actionId: string };
  }
}

/** Changes all alerts that match a filter. */
export function alertActionJob(platform: Platform): Task<'actOnAlerts'> {
  return bulkActionJob(platform, {
    actions: alertActionStore,
    noun: 'alerts',
    next: ({ projectId, asked, cursor, createdAt }, limit) =>
      nextAlerts(platform.db, { ...asked.matching, projectId }, { after: cursor, before: createdAt, limit }),
    async act(db, { projectId, action, asked }, ids, now) {
      const locked = await lockAlerts(db, projectId, ids);
      const matching = new Set(await stillMatching(db, { ...asked.matching, projectId }, ids));
      const alerts = locked.filter(({ id }) => matching.has(id));
      await changeAlerts(db, projectId, alerts, changeOf(action, asked, now));
      return { matched: alerts.length, acted: undefined };
    },
    publish(of) {
      const path = pathOf(readAlertAction, { ...of });
      publishLive(platform, of.projectId, { kind: 'changed', path, makesOld: alertsMakeOld });
    },
    again: of => enqueue(platform.db, 'actOnAlerts', of),
  });
}
