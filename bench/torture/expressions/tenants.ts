import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '#contract/client.ts';
import { createDevice } from '#contract/device.ts';
import { createDeviceClass } from '#contract/deviceClass.ts';
import { readDeviceState } from '#contract/deviceState.ts';
import { createProject } from '#contract/project.ts';
import { createSmartModule, editSmartModule } from '#contract/smartModule.ts';
import { hostileExpression, hostileState } from '#test/hostileExpressions.ts';
import { newcomer } from '#test/newcomer.ts';
import type { ServerProcess } from '#test/serverProcess.ts';
import { LoadDevice } from '../../gateway/loadDevice.ts';
import type { Receipts } from './receipts.ts';

const rulesMax = 10;
const eventEveryMs = 1_500;
const editEveryMs = 400;
/** Uses up the budget of an evaluation for the state of a hostile tenant. Some rules of each keep it. */
const heavy = 'state.l.all(x, state.texts.join().size() > 0)';
const heavyRules = 3;

export interface Tenant {
  client: Client;
  projectId: string;
  device: LoadDevice;
  isHostile: boolean;
  /** How many random expressions passed the check. */
  accepted: number;
}

interface Given {
  server: ServerProcess;
  mqttPort: number;
  receiverUrl: string;
  n: number;
  isHostile: boolean;
}

/** A project with a device and ten rules; one of them calls a webhook for each event, unless the tenant is hostile. */
export async function aTenant({ server, mqttPort, receiverUrl, n, isHostile }: Given): Promise<Tenant> {
  const { client } = await newcomer(server.url, `tenant${n}@example.com`);
  const { id: projectId } = await client.call(createProject, { body: { name: `Tenant ${n}` } });
  await client.call(createDeviceClass, { params: { projectId }, body: { id: 'c' } });
  const body = { projectId, tag: 'd', deviceClass: 'c' };
  const { id, apiKey = '' } = await client.call(createDevice, { body });
  const webhook = { kind: 'webhook' as const, url: `${receiverUrl}/rule` };
  const alert = { kind: 'alert' as const, text: '{{ state.n }}' };
  for (let rule = 0; rule < rulesMax; rule++)
    await client.call(createSmartModule, {
      params: { projectId },
      body: {
        id: `rule${rule}`,
        moduleType: 'rule',
        subscribedEvents: ['tick'],
        configData: {
          condition: conditionOf(rule, isHostile),
          acts: 'each',
          everyS: 1,
          actions: [rule === 0 && !isHostile ? webhook : alert],
        } as never,
      },
    });
  const device = await LoadDevice.connect(mqttPort, { id, key: apiKey });
  const state = isHostile ? hostileState() : { n: 1 };
  await device.publish(`d/${id}/state`, Buffer.from(JSON.stringify(state)));
  // A state that was refused would make all rules cheap.
  const { reported } = await client.call(readDeviceState, { params: { deviceId: id } });
  if (Object.keys(reported).length !== Object.keys(state).length) throw new Error('The state was refused.');
  return { client, projectId, device, isHostile, accepted: 0 };
}

function conditionOf(rule: number, isHostile: boolean): string {
  if (isHostile && rule >= rulesMax - heavyRules) return heavy;
  return rule === 0 ? 'event.payload.number != ""' : `event.payload.value > ${rule} && state.n > 100`;
}

/** The device of a tenant sends events until it is over. */
export async function tick(
  { device, projectId, isHostile }: Tenant,
  state: { isOver: boolean },
  receipts: Receipts,
): Promise<void> {
  for (let n = 0; !state.isOver; n++) {
    const number = `${projectId} ${n}`;
    if (!isHostile) receipts.expect(number);
    const payload = Buffer.from(JSON.stringify({ number, value: n % 20 }));
    await device.publish(`d/${device.id}/events/tick`, payload);
    await wait(eventEveryMs);
  }
}

/** Replaces the conditions and texts of most of a tenant's rules by random ones, as fast as one can. */
export async function attack(
  tenant: Tenant,
  state: { isOver: boolean },
  random: () => number,
): Promise<void> {
  const { client, projectId } = tenant;
  for (let n = 0; !state.isOver; n++) {
    const moduleId = `rule${n % (rulesMax - heavyRules)}`;
    const text = `{{ ${hostileExpression(random)} }}`;
    const actions = [{ kind: 'alert', text }];
    const configData = { condition: hostileExpression(random), acts: 'each', everyS: 1, actions } as never;
    const isAccepted = await client
      .call(editSmartModule, { params: { projectId, moduleId }, body: { configData } })
      .then(
        () => true,
        // Most are refused by the check.
        () => false,
      );
    if (isAccepted) {
      tenant.accepted += 1;
      await wait(editEveryMs);
    }
  }
}
