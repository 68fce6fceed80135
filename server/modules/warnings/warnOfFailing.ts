import { hourMs } from '#rules/time/durations.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { inert } from '#server/mail/sending/names.ts';
import { discardWaiting } from '#server/modules/runs/discardWaiting.ts';
import { failsWithinMs } from '#server/modules/runs/endRuns.ts';
import { mailTeam, notifyTeam } from '#server/modules/smartModules/notifyTeam.ts';
import { findModule, openModule, setSuspended } from '#server/modules/smartModules/store.ts';
import { typeOf } from '#server/modules/types/moduleTypes.ts';

/** Hours without a success after which an e-mail is sent; the last one announces the suspension a day later. */
const mailsAfterHours = [1, 24, 96] as const;
const suspendAfterHours = 120;
const batch = 500;

interface Failing {
  projectId: string;
  id: string;
  url: string;
  failingSince: Date;
  isParked: boolean;
  /** Number of e-mails that should have been sent by now. */
  due: number;
  summary: string | null;
}

/** Warns about webhooks that only fail, and finally suspends them. Each step is taken once. */
export async function warnOfFailing(platform: Platform): Promise<void> {
  const now = platform.clock();
  for (let taken = batch; taken === batch; ) {
    const failing = await nextFailing(platform.db, now);
    for (const module of failing) await platform.db.tx(db => takeStep(db, platform, module, now));
    taken = failing.length;
  }
}

/**
 * The webhooks for which a step is due. A webhook without recent calls is left alone, unless it has none because it is
 * parked.
 */
function nextFailing(db: Db, now: Date): Promise<Failing[]> {
  return db.many<Failing>(sql`
    select s.project_id as "projectId", s.id, s.config ->> 'url' as url, h.failing_since as "failingSince",
      s.parked_at is not null as "isParked", mails.due, (
        select r.summary from module_runs r
        where r.project_id = s.project_id and r.module_id = s.id and r.last_at >= h.failing_since
          and r.state in ('waiting', 'failed')
        order by r.last_at desc limit 1) as summary
    from module_health h join smart_modules s on s.project_id = h.project_id and s.id = h.module_id
    left join webhook_warnings w on w.project_id = s.project_id and w.module_id = s.id
      and w.failing_since = h.failing_since
    cross join lateral (
      select count(*)::int as due from unnest(${[...mailsAfterHours]}::int[]) as hours
      where h.failing_since <= ${now}::timestamptz - make_interval(hours => hours)) mails
    where s.module_type = 'webhook' and not s.suspended
      and (s.parked_at is not null
        or coalesce(h.failed_at, h.failing_since) >= ${new Date(now.getTime() - failsWithinMs)})
      and (mails.due > coalesce(w.sent, 0) or h.failing_since <= ${hoursBefore(now, suspendAfterHours)})
    order by h.failing_since limit ${batch}`);
}

const hoursBefore = (now: Date, hours: number) => new Date(now.getTime() - hours * hourMs);

async function takeStep(db: Db, platform: Platform, module: Failing, now: Date): Promise<void> {
  const { projectId, id, failingSince, isParked, due } = module;
  if (failingSince <= hoursBefore(now, suspendAfterHours)) {
    await suspend(db, platform, module, now);
    return;
  }
  const taken = await db.run(sql`
    insert into webhook_warnings as w (project_id, module_id, failing_since, sent)
    values (${projectId}, ${id}, ${failingSince}, ${due})
    on conflict (project_id, module_id) do update
    set failing_since = excluded.failing_since, sent = excluded.sent
    where w.failing_since <> excluded.failing_since or w.sent < excluded.sent`);
  // A parked module has already been announced in another e-mail.
  if (taken === 0 || (isParked && due === 2)) return;
  await mailTeam(db, platform, module, project => ({
    subject: `Webhook ${id} ${due === mailsAfterHours.length ? 'ends tomorrow' : 'is failing'}`,
    before: [
      `Every call of the webhook ${id} of the project ${project} has failed for ${wordsOf(mailsAfterHours[due - 1] ?? 1)}.`,
      due === mailsAfterHours.length
        ? 'If none succeeds by this time tomorrow, the platform suspends it and discards the waiting calls.'
        : 'Failed calls are retried for some hours, so nothing is lost if the address answers soon.',
    ],
    facts: [
      ['Address', inert(originOf(module.url))],
      ['Failing since', `${failingSince.toISOString().slice(0, 16).replace('T', ' ')} UTC`],
      ...(module.summary ? [['Last outcome', inert(module.summary)] as const] : []),
    ],
  }));
}

async function suspend(db: Db, platform: Platform, { projectId, id }: Failing, now: Date): Promise<void> {
  const because = 'Every call failed for 5 days';
  if ((await setSuspended(db, { projectId, id }, { suspended: true, because, now })) === 0) return;
  await discardWaiting(db, projectId, id, now);
  await notifyTeam(db, platform, { projectId, id, because, what: 'suspended' });
  const row = await findModule(db, projectId, id);
  if (row) await typeOf(row.moduleType).changed?.(db, openModule(platform, row), platform);
}

const wordsOf = (hours: number) => (hours === 1 ? 'an hour' : hours === 24 ? 'a day' : `${hours / 24} days`);

/** Paths of webhooks may contain secrets. */
const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : '');
