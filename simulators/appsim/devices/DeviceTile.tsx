import type { LiveDevice } from '#sdk/app.ts';
import type { AppSimulation } from '../simulation.ts';
import { nameOfDevice } from './nameOfDevice.ts';

export function DeviceTile({ device }: { simulation: AppSimulation; device: LiveDevice; isFirst: boolean }) {
  return <li>{nameOfDevice(device.about)}</li>;
}
