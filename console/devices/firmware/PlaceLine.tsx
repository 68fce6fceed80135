import type { DeviceFirmware } from '#contract/deviceFirmware.ts';
import { numberText } from '#rules/text/numberText.ts';
import css from './deviceFirmware.module.css';

type Rollout = NonNullable<DeviceFirmware['why']['rollout']>;

/** The device's place among the devices of the channel, and how far each step reaches. */
export function PlaceLine({ rollout: { place, percent, percents } }: { rollout: Rollout }) {
  const shown = percents.filter((share, at) => share > 0 && (share >= 8 || at === percents.length - 1));
  return (
    <div className={css.place} aria-hidden="true">
      <span className={css.here} style={atPlace(place)} data-side={isAtSide(place) || undefined}>
        this device, {place.toFixed(2)} %
      </span>
      <span className={css.whole}>
        <span className={css.taken} style={{ width: `${percent}%` }} />
        {percents
          .filter(share => share < 100)
          .map(share => (
            <span key={share} className={css.tick} style={{ insetInlineStart: `${share}%` }} />
          ))}
        <span className={css.pin} style={{ insetInlineStart: `${place}%` }} />
      </span>
      {shown.map(share => (
        <span
          key={share}
          className={css.share}
          style={share === 100 ? { insetInlineEnd: 0 } : { insetInlineStart: `${share}%` }}
          data-last={share === 100 || undefined}
        >
          {numberText(share)} %{share === percent && ' now'}
        </span>
      ))}
    </div>
  );
}

/** Near either end, the text would overflow the line. */
const isAtSide = (place: number) => place < 22 || place > 78;

function atPlace(place: number) {
  if (place > 78) return { insetInlineEnd: `${100 - place}%` };
  return { insetInlineStart: `${place}%` };
}
