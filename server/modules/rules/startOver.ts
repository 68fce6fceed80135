import { type EndingAlert, endingAlerts, endingAlertsOf } from '#server/devices/alerts/endingAlerts.ts';
import { reportAlerts } from '#server/devices/alerts/reportAlerts.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { dropPostponed } from '#server/modules/actions/postponedMails.ts';
import type { OpenModule } from '#server/modules/smartModules/moduleType.ts';
import { compile } from './compiled.ts';
import type { RuleConfig } from './ruleConfig.ts';
import { forgetAllStates, forgetStates } from './ruleStates.ts';

/**
 * Forgets what a rule no longer watches because it was changed, suspended or deleted, and resolves the alerts that would
 * have ended with the condition: nothing else would resolve them.
 */
export async function startOver(db: Db, module: OpenModule<RuleConfig>, platform: Platform): Promise<void> {
  const { projectId, id, suspended } = module;
  const alerts = suspended
    ? await endingAlertsOf(db, { projectId, moduleId: id })
    : await endedBy(db, module);
  if (suspended) {
    await forgetAllStates(db, module);
    await dropPostponed(db, module);
  }
  const text = suspended ? 'The rule no longer runs.' : 'The rule was changed.';
  const source = { kind: 'module', moduleId: id, runId: '' } as const;
  const ts = platform.clock();
  await reportAlerts(
    db,
    platform,
    alerts.map(({ deviceId, key }) => ({ projectId, deviceId, key, source, ts, resolved: true, text })),
  );
}

/** The alerts for devices and conditions that the rule no longer watches. */
async function endedBy(
  db: Db,
  { projectId, id, subscribedEvents: names, deviceClasses: classes, config }: OpenModule<RuleConfig>,
): Promise<EndingAlert[]> {
  const left = await forgetStates(db, { projectId, id, names, classes, key: compile(config).key });
  return endingAlerts(
    db,
    left.map(({ deviceId }) => ({ projectId, moduleId: id, deviceId })),
  );
}
