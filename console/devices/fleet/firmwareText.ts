import type { ClassFirmware } from '#contract/stats.ts';
import { numberText } from '#rules/text/numberText.ts';

/**
 * What the remaining devices of a class run, apart from the most frequent bundle: "5 on winter, 4 on none". Empty: all
 * run the same.
 */
export function restText({ bundles, devices }: ClassFirmware, total: number): string {
  const [first, second, ...others] = bundles;
  const named = (first?.devices ?? 0) + (second?.devices ?? 0);
  const isolated = second && `\u2068${second.name}\u2069`;
  return [
    second && `${numberText(second.devices)} on ${isolated}`,
    others.length > 0 && `${numberText(devices - named)} on others`,
    total > devices && `${numberText(total - devices)} not reported`,
  ]
    .filter(Boolean)
    .join(', ');
}
