import { type Device, readDevice } from '#contract/device.ts';
import {
  type DeviceEvent,
  type DeviceState,
  listDeviceEvents,
  readDeviceState,
} from '#contract/deviceState.ts';
import type { LogEntry } from '#contract/log.ts';
import { readDeviceLogEntries } from '#contract/logRequest.ts';
import { hourMs } from '#rules/time/durations.ts';
import { type Identity, type MqttDevice, mqttDevice } from './mqttDevice.ts';
import { forTheFile, ProjectWorld } from './projectWorld.ts';
import { until } from './until.ts';

type Options = Parameters<typeof mqttDevice>[2];

/** A project world with a gateway, and the questions about devices that tests ask often. */
export class GatewayWorld extends ProjectWorld {
  get url(): string {
    return this.world.mqttUrl ?? '';
  }

  connect(device: Identity, options: Options = {}): Promise<MqttDevice> {
    return mqttDevice(this.url, device, options);
  }

  read({ id: deviceId }: { id: string }): Promise<Device> {
    return this.owner.client.call(readDevice, { params: { deviceId } });
  }

  stateOf({ id: deviceId }: { id: string }): Promise<DeviceState> {
    return this.owner.client.call(readDeviceState, { params: { deviceId } });
  }

  eventsOf({ id: deviceId }: { id: string }): Promise<DeviceEvent[]> {
    return this.owner.client.call(listDeviceEvents, { params: { deviceId }, query: this.#lately() });
  }

  logOf({ id: deviceId }: { id: string }): Promise<LogEntry[]> {
    return this.owner.client.call(readDeviceLogEntries, { params: { deviceId }, query: this.#lately() });
  }

  /** Resolves with the device once it has the status. */
  untilIs(device: { id: string }, status: Device['connectionStatus']): Promise<Device> {
    return until(async () => {
      const now = await this.read(device);
      return now.connectionStatus === status ? now : undefined;
    });
  }

  /** Resolves with the entry of its log that contains the text. */
  untilLogged(device: { id: string }, text: string): Promise<LogEntry> {
    return until(async () => (await this.logOf(device)).find(entry => entry.text.includes(text)));
  }

  #lately(): { begin: string; end: string } {
    const nowMs = this.world.now().getTime();
    return { begin: new Date(nowMs - hourMs).toISOString(), end: new Date(nowMs + hourMs).toISOString() };
  }
}

/** For the tests of a file. */
export function aGatewayWorld(settings: Record<string, string> = {}): GatewayWorld {
  return forTheFile(new GatewayWorld(), { MQTT_PORT: '0', ...settings });
}
