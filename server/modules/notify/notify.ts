import { hourMs } from '#rules/time/durations.ts';
import { quietUntil } from '#rules/time/quietHours.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import type { VariableName } from '#server/mail/emailTemplates/variables.ts';
import type { Letter } from '#server/mail/sending/letter.ts';
import { queueMail } from '#server/mail/sending/queueMail.ts';
import { isPostponed } from '#server/modules/runs/waitingRuns.ts';
import type { Outcome, Running } from '#server/modules/smartModules/moduleType.ts';
import { type Member, membersToWrite, type Place, placeOf } from './membersToWrite.ts';
import type { NotifyConfig } from './notifyConfig.ts';
import { deviceValuesIn, notifyTemplate, valueText } from './notifyMail.ts';
import { externalUsersSay } from './unmailedUsers.ts';
import { unsubscribeUrl } from './unsubscribe.ts';

export type Notifying = Pick<
  Running<NotifyConfig>,
  'runId' | 'module' | 'event' | 'device' | 'state' | 'now' | 'isTest'
>;

const done = (summary: string): Outcome => ({ isOk: true, summary });
/** Nobody got an e-mail, with the reason. */
const unsent = (summary: string): Outcome => ({ isOk: true, isHeld: true, summary });

/** E-mails the members of the device's home, once per run. */
export async function notify(run: Notifying, platform: Platform): Promise<Outcome> {
  const { module, device, now } = run;
  const { config } = module;
  if (device?.homeId === undefined) return unsent('The device is not in a home');
  const { homeId } = device;
  const place = await placeOf(platform.db, module.projectId, homeId);
  if (!place) return unsent('The home no longer exists');
  if (place.isExternal) return { isOk: false, isFinal: true, summary: externalUsersSay };
  const quiet = config.hasQuietTime
    ? quietUntil({ from: config.quietFrom, to: config.quietTo, timeZone: place.timeZone }, now)
    : undefined;
  if (quiet && config.inQuietTime === 'drop') return unsent('The home is in its quiet hours');
  if (quiet) {
    if ((await postponedFor(platform.db, run, homeId)) >= config.perHour)
      return unsent(`${config.perHour} e-mails already wait for the end of the home’s quiet hours`);
    return {
      ...unsent(`Postponed until the home’s quiet hours end at ${config.quietTo}`),
      putOffUntil: quiet,
    };
  }
  const by = { projectId: module.projectId, moduleId: module.id, roles: config.roles, now };
  const members = await membersToWrite(platform.db, by, device);
  if (members.length === 0) return unsent('No member of the home receives it');
  const letters = await Promise.all(members.map(member => letterTo(member, run, { place, platform })));
  return platform.db.tx(async db => {
    const room = await takeRoom(db, run, homeId);
    if (room === 'done') return done('Sent before.');
    if (room === 'full') return unsent(`The home got ${config.perHour} e-mails within an hour`);
    for (const [at, { email }] of members.entries()) {
      const letter = letters[at];
      if (letter) await queueMail(db, platform, { to: email, letter });
    }
    return done(`${members.length === 1 ? '1 e-mail' : `${members.length} e-mails`} sent`);
  });
}

/** How many runs wait for the end of the home's quiet hours: no more than the home could get within the hour after. */
async function postponedFor(
  db: Db,
  { runId, module: { projectId, id }, now }: Notifying,
  homeId: string,
): Promise<number> {
  const row = await db.one<{ count: number }>(sql`
    select count(*)::int as count from devices d
    join module_runs r on r.project_id = d.project_id and r.module_id = ${id} and r.device_id = d.id
    where d.project_id = ${projectId} and d.home_id = ${homeId} and r.id <> ${runId} and ${isPostponed(now)}`);
  return row?.count ?? 0;
}

/** Takes a lock per home, so that two concurrent runs cannot both take the last e-mail of an hour. */
async function takeRoom(
  db: Db,
  { runId, module: { projectId, id, config }, now, isTest }: Notifying,
  homeId: string,
): Promise<'free' | 'full' | 'done'> {
  await db.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${`notify ${projectId} ${id} ${homeId}`}, 0))`,
  );
  const row = await db.one<{ isDone: boolean; count: number }>(sql`
    select coalesce(bool_or(run_id = ${runId}), false) as "isDone",
      (count(*) filter (where home_id = ${homeId} and not is_test and at > ${new Date(now.getTime() - hourMs)}))::int as count
    from notify_sends
    where project_id = ${projectId} and module_id = ${id} and (home_id = ${homeId} or run_id = ${runId})`);
  if (row?.isDone) return 'done';
  if (!isTest && (row?.count ?? 0) >= config.perHour) return 'full';
  await db.run(sql`
    insert into notify_sends (project_id, module_id, run_id, home_id, at, is_test)
    values (${projectId}, ${id}, ${runId}, ${homeId}, ${now}, ${isTest})`);
  return 'free';
}

/** The e-mail to one member. */
async function letterTo(
  { id, name, email }: Member,
  { module, event, device, state, now, isTest }: Notifying,
  { place, platform }: { place: Place; platform: Platform },
): Promise<Letter> {
  const url = unsubscribeUrl(platform, module.projectId, { moduleId: module.id, userId: id });
  const data: Partial<Record<VariableName, string>> = {
    'project.name': place.project,
    'home.name': place.home,
    'user.name': name || email,
    'user.email': email,
    'device.name': device?.name || device?.tag || 'a device',
    'device.tag': device?.tag ?? '',
    'event.name': event?.name ?? '',
    'event.time': clockText(event ? new Date(event.ts) : now, place.timeZone),
    'link.url': url,
  };
  for (const variable of deviceValuesIn(module.config)) {
    const name = variable.slice(variable.lastIndexOf('.') + 1);
    data[variable] = valueText(variable.startsWith('state.') ? state : event?.payload, name);
  }
  // Loaded with the first e-mail, because it brings the template engine.
  const { renderMail } = await import('#server/mail/emailTemplates/renderMail.ts');
  const letter = renderMail(notifyTemplate(module.config), data);
  return { ...letter, ...(isTest && { subject: `Test: ${letter.subject}` }), unsubscribeUrl: url };
}

/** Formats as `20 Nov 2026, 09:46`. */
function clockText(at: Date, timeZone: string): string {
  return at.toLocaleString('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' });
}
