import { devicesWithEndingAlerts } from '#server/devices/alerts/endingAlerts.ts';
import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { dropPostponed } from '#server/modules/actions/postponedMails.ts';
import type { OpenModule } from '#server/modules/smartModules/moduleType.ts';
import { compile } from './compiled.ts';
import { endAlerts } from './endAlerts.ts';
import type { RuleConfig } from './ruleConfig.ts';
import { forgetAllStates, forgetStates } from './ruleStates.ts';

/**
 * Forgets what a rule no longer watches because it was changed, suspended or deleted, and resolves the alerts that would
 * have ended with the condition: nothing else would resolve them.
 */
export async function startOver(db: Db, module: OpenModule<RuleConfig>, platform: Platform): Promise<void> {
  const { projectId, id: moduleId, suspended } = module;
  const deviceIds = suspended
    ? await devicesWithEndingAlerts(db, { projectId, moduleId })
    : await noLongerWatched(db, module);
  if (suspended) {
    await forgetAllStates(db, module);
    await dropPostponed(db, module);
  }
  const text = suspended ? 'The rule no longer runs.' : 'The rule was changed.';
  await endAlerts(db, platform, { projectId, moduleId, deviceIds, text, at: platform.clock() });
}

/** The devices for which the rule had acted. */
async function noLongerWatched(
  db: Db,
  { projectId, id, subscribedEvents: names, deviceClasses: classes, config }: OpenModule<RuleConfig>,
): Promise<string[]> {
  const left = await forgetStates(db, { projectId, id, names, classes, key: compile(config).key });
  return left.map(({ deviceId }) => deviceId);
}
