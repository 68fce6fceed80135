import { refusalOf } from '#server/devices/keys/admission.ts';
import type { ConnectedDevice } from '#server/devices/presence/connectedDevices.ts';
import type { DeviceNotice } from '#server/infra/bus/deviceNotices.ts';
import type { GatewayParts } from './parts.ts';

/** Applies a notice to the connections of its device. */
export function onDeviceNotice(parts: GatewayParts, device: ConnectedDevice, notice: DeviceNotice): void {
  const { sessions } = device;
  switch (notice.kind) {
    case 'access':
      checkAccess(parts, device).catch(error =>
        // The sweep checks again later.
        parts.platform.log('warn', 'The access of a device could not be checked', { error: String(error) }),
      );
      break;
    case 'released':
      for (const session of sessions) session.end('RELEASED');
      break;
    case 'command':
      for (const session of sessions) session.command(notice.name, notice.frame, notice.isSent);
      break;
    case 'desired':
      for (const session of sessions) session.refresh(['desired', 'delta']);
      break;
    case 'delta':
      for (const session of sessions) session.refresh(['delta']);
      break;
    case 'config':
    case 'target':
      for (const session of sessions) session.refresh([notice.kind]);
      break;
    case 'logRequest':
      for (const session of sessions) session.askForLog();
      break;
    case 'takenOver':
      device.cameBack(notice.clientId, notice.number);
      break;
    case 'displaced':
      device.displaced(notice.number);
  }
}

async function checkAccess({ platform, admissions }: GatewayParts, device: ConnectedDevice): Promise<void> {
  const admission = await admissions.add(device.id);
  if (admission) device.learn(admission);
  const now = platform.clock();
  for (const session of device.sessions) {
    const refusal = refusalOf(admission, session.credential, now);
    if (refusal) session.end(refusal);
  }
}
