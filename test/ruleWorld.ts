import { createSmartModule } from '#contract/smartModule.ts';
import { sql } from '#server/infra/db/sql.ts';
import { aGatewayWorld } from './gatewayWorld.ts';
import type { RunSeen } from './modules.ts';
import { unique } from './world.ts';

/** The alert that a rule raises unless a test says otherwise. */
export const hotAlert = { kind: 'alert', severity: 'warning', text: 'It is {{ state.temperature }} °C' };

/** A world with sensors and rules about them. */
export function aRuleWorld(settings: Record<string, string> = {}) {
  const at = aGatewayWorld(settings);
  return Object.assign(at, {
    async aRule(configData: Record<string, unknown>, deviceClass: string, events = ['_state_']) {
      const id = unique('rule');
      await at.owner.client.call(createSmartModule, {
        params: { projectId: at.projectId },
        body: {
          id,
          moduleType: 'rule',
          subscribedEvents: events,
          deviceClasses: [deviceClass],
          configData: { actions: [hotAlert], ...configData } as never,
        },
      });
      return id;
    },

    async aSensor() {
      const { id: deviceClass } = await at.deviceClass();
      const device = await at.device({ deviceClass });
      return { device, deviceClass, here: await at.connect(device) };
    },

    alertsOf: (deviceId: string) =>
      at.world.platform.db.many<{ state: string; text: string }>(sql`
        select state, text from alerts where device_id = ${deviceId} order by id`),

    /** Whether a rule, since this time or later, is waiting for its condition to have held for long enough. */
    async waitsOf(moduleId: string, from = new Date(0)): Promise<boolean> {
      const row = await at.world.platform.db.one(sql`
        select 1 from rule_states where project_id = ${at.projectId} and module_id = ${moduleId}
          and due_at is not null and since >= ${from} and event_id is not null`);
      return row !== undefined;
    },
  });
}

/** Whether there are as many runs, and none of them waits. */
export const allDone = (count: number) => (runs: RunSeen[]) =>
  runs.length >= count && runs.every(({ state }) => state !== 'waiting');
