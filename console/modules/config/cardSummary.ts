import { numberText } from '#rules/text/numberText.ts';
import { isObject, type Schema, titleOf } from './configSchema.ts';
import { durationUnits, durationWords } from './durations.ts';

const partsMax = 3;
const partMax = 60;

/** The first values of an object in a line: `setTarget · {"celsius": 8} · 10 minutes`. */
export function cardSummary({ properties = {} }: Schema, item: unknown): string {
  if (!isObject(item)) return '';
  const parts = Object.entries(properties).flatMap(([name, property]) => {
    const text = valueText(property, item[name]);
    return property.const !== undefined || property.ui?.control === 'hidden' || text === '' ? [] : [text];
  });
  return parts
    .slice(0, partsMax)
    .map(part => (part.length > partMax ? `${part.slice(0, partMax)}…` : part))
    .join(' · ');
}

/** A value of a configuration as readable text; empty if there is nothing to show. */
export function valueText(schema: Schema, value: unknown): string {
  const { ui } = schema;
  if (value === undefined || value === null || value === '') return '';
  if (typeof value === 'boolean') return value ? titleOf(schema, '') : '';
  if (typeof value === 'number') {
    const unit = durationUnits.find(({ id }) => id === (ui?.unit ?? 's'));
    if (ui?.control === 'duration' && unit) return durationWords(value * unit.seconds);
    return `${numberText(value)}${ui?.unit ? ` ${ui.unit}` : ''}`;
  }
  if (typeof value === 'string') return ui?.labels?.[value] ?? value;
  if (Array.isArray(value) && value.every(one => typeof one !== 'object'))
    return value
      .map(one => ui?.labels?.[String(one)] ?? schema.items?.ui?.labels?.[String(one)] ?? String(one))
      .join(', ');
  return JSON.stringify(value);
}
