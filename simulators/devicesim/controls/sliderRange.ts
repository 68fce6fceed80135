export interface SliderRange {
  min: number;
  max: number;
  step: number;
}

const byName: readonly [RegExp, SliderRange][] = [
  [/temp/i, { min: -20, max: 60, step: 0.5 }],
  [
    /percent|level|battery|humidity|brightness|position|volume|progress|valve/i,
    { min: 0, max: 100, step: 1 },
  ],
  [/rssi|signal/i, { min: -120, max: 0, step: 1 }],
  [/hue|angle|heading|direction/i, { min: 0, max: 360, step: 1 }],
];

/** A useful range for a number, derived from its name, or else from its size. */
export function sliderRange(name: string, value: number): SliderRange {
  const known = byName.find(([pattern]) => pattern.test(name))?.[1];
  if (known && value >= known.min && value <= known.max) return known;
  const size =
    Math.abs(value) <= 1 && !Number.isInteger(value) ? 1 : roundSize(Math.max(10, Math.abs(value) * 2));
  const step = Number.isInteger(value) && size >= 10 ? Math.max(1, size / 1000) : size / 200;
  return { min: value < 0 ? -size : 0, max: size, step };
}

/** The next of 10, 20, 50, 100, 200, … */
function roundSize(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  return ([1, 2, 5, 10].find(times => times * power >= size) ?? 10) * power;
}
