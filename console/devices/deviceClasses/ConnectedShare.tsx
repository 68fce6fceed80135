import { Dash } from '#console/ui/list/TwoLines.tsx';
import { numberText } from '#rules/text/numberText.ts';
import css from './deviceClasses.module.css';

interface ConnectedShareProps {
  connected: number;
  devices: number;
}

/** "812 of 924", with a bar for the share. */
export function ConnectedShare({ connected, devices }: ConnectedShareProps) {
  if (devices === 0) return <Dash said="No devices" />;
  return (
    <span className={css.share}>
      <span>
        <b>{numberText(connected)}</b> of {numberText(devices)}
      </span>
      <svg className={css.bar} viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
        <rect className={css.barGround} width="100" height="3" />
        <rect
          className={css.barPart}
          // Anything above zero stays visible.
          width={connected === 0 ? 0 : Math.max(2, (connected / devices) * 100)}
          height="3"
        />
      </svg>
    </span>
  );
}
