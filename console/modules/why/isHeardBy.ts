import { allEvents } from '#rules/apps/subscribedEvents.ts';

interface Event {
  name: string;
  device: { deviceClass: string };
}

/** Whether a module is subscribed to an event of that device. */
export function isHeardBy(
  {
    subscribedEvents,
    deviceClasses,
  }: { subscribedEvents: readonly string[]; deviceClasses: readonly string[] },
  { name, device }: Event,
): boolean {
  const names = subscribedEvents.map(one => one.toLowerCase());
  const isName = names.includes(allEvents) || names.includes(name.toLowerCase());
  return isName && (deviceClasses.length === 0 || deviceClasses.includes(device.deviceClass));
}
