import type { SchemaProperty } from '#console/devices/schema/schemaProperties.ts';
import type { ReportedProperties } from '#contract/deviceState.ts';
import css from './schemaSection.module.css';

interface ReportedShareProps {
  property: Pick<SchemaProperty, 'keys'>;
  reported: ReportedProperties;
}

/** "81 %" with a bar; amber if most devices do not report what the class describes. */
export function ReportedShare({ property: { keys }, reported }: ReportedShareProps) {
  const [name = '', ...deeper] = keys;
  // Only top-level properties are counted, not what is inside them.
  if (deeper.length > 0) return '–';
  const devices = reported.properties.find(one => one.name === name)?.devices ?? 0;
  const percent = shareOf(devices, reported.devices);
  return (
    <span className={css.shared} data-low={percent < 50 || undefined}>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect className={css.ground} width="100" height="4" />
        <rect className={css.part} width={percent} height="4" />
      </svg>
      {percent} %
    </span>
  );
}

/** 100 % only if no device lacks it, and 0 % only if no device has it. */
function shareOf(devices: number, of: number): number {
  const percent = (devices / of) * 100;
  if (devices > 0 && percent < 1) return 1;
  return devices < of ? Math.min(99, Math.round(percent)) : 100;
}
