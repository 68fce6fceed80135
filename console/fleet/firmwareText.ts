import type { ClassFirmware } from '#contract/stats.ts';

/**
 * What the remaining devices of a class run, apart from the most frequent bundle: "5 on winter, 4 on none". Empty: all
 * run the same.
 */
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
