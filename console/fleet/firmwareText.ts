import type { ClassFirmware } from '#contract/stats.ts';

/** What the devices of a class run that do not run what most of them do: "5 on winter, 4 on none". Empty: all run it. */
export function restText({ bundles, devices }: ClassFirmware, total: number): string {
  const [first, second, ...others] = bundles;
  const named = (first?.devices ?? 0) + (second?.devices ?? 0);
  const isolated = second && `\u2068${second.name}\u2069`;
  return [
    second && `${second.devices.toLocaleString('en')} on ${isolated}`,
    others.length > 0 && `${(devices - named).toLocaleString('en')} on others`,
    total > devices && `${(total - devices).toLocaleString('en')} not reported`,
  ]
    .filter(Boolean)
    .join(', ');
}
