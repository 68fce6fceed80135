import { it } from 'vitest';
import { editDevice } from '#contract/device.ts';
import { createParts } from '#server/doors/gateway/createParts.ts';
import { notifyDevice } from '#server/infra/bus/deviceNotices.ts';
import { aGatewayWorld } from '#test/gatewayWorld.ts';
import { until } from '#test/until.ts';

const at = aGatewayWorld();

it('a connected device that is renamed has the new name in its log entries', async () => {
  const { id } = await at.device();
  const parts = createParts(at.world.platform, 'gtw_here');
  const admission = await parts.admissions.add(id);
  if (!admission) throw new Error('There is no such device.');
  const device = parts.devices.enter(admission);
  await at.owner.client.call(editDevice, { params: { deviceId: id }, body: { name: 'Boiler' } });
  notifyDevice(at.world.platform, id, { kind: 'access' });
  await until(() => (device.displayName === 'Boiler' ? true : undefined));
  parts.watched.stop();
});
