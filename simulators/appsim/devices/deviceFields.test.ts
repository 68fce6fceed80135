import { expect, it } from 'vitest';
import { type DeviceField, deviceFields, fieldText, stepped } from './deviceFields.ts';

const schema = {
  properties: {
    temperature: { type: 'number', unit: '°C', readOnly: true, title: 'Measured' },
    target: { type: 'number', unit: '°C', minimum: 5, maximum: 30 },
    mode: { enum: ['off', 'heat'] },
    on: { type: 'boolean' },
  },
};
const known = {
  reported: { temperature: 21.3, target: 20, signalStrength: -67 },
  shown: { temperature: 21.3, target: 21.5, signalStrength: -67 },
  delta: { target: 21.5 },
};
const named = (name: string) => deviceFields(schema, known).find(field => field.name === name) as DeviceField;

it('each property has the control that its schema requires, and a change is pending until it is reported', () => {
  const fields = deviceFields(schema, known);
  expect(fields.map(({ name, title, control }) => [name, title, control])).toEqual([
    ['temperature', 'Measured', 'none'],
    ['target', 'Target', 'number'],
    ['mode', 'Mode', 'choice'],
    ['on', 'On', 'switch'],
    ['signalStrength', 'Signal strength', 'number'],
  ]);
  expect(fields.filter(({ isPending }) => isPending).map(({ name }) => name)).toEqual(['target']);
  expect(fieldText(named('target'), named('target').shown)).toBe('21.5 °C');
  expect(fieldText(named('signalStrength'), -67)).toBe('−67');
  expect(fieldText(named('mode'), undefined)).toBe('–');
});

it('a step stays within the range and on the grid', () => {
  const target = named('target');
  expect(stepped(target, 1)).toBe(22);
  expect(stepped({ ...target, shown: 30 }, 1)).toBe(30);
  expect(stepped({ ...target, shown: 5 }, -1)).toBe(5);
  expect(stepped({ ...target, shown: undefined, reported: undefined }, 1)).toBe(5.5);
});
