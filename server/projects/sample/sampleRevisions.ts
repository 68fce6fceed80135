import { sampleThermostat } from './sampleDevices.ts';

const { stateSchema, eventSchemas, commandSchemas } = sampleThermostat;
const { window, battery, target } = stateSchema.properties;
const setTarget = commandSchemas['set-target'];
const targetMaxBefore = 35;

/** The properties that thermostats had at first. */
const firstProperties = {
  temperature: { type: 'number', unit: '°C', minimum: -20, maximum: 60 },
  target: { ...target, maximum: targetMaxBefore },
  mode: { enum: ['off', 'heat'] },
};
const firstSetTarget = {
  ...setTarget,
  properties: { celsius: { ...setTarget.properties.celsius, maximum: targetMaxBefore } },
};

/** The thermostat class as it was created. */
export const firstThermostat = {
  ...sampleThermostat,
  description: 'Radiator thermostats.',
  stateSchema: { type: 'object', properties: firstProperties },
  eventSchemas: { 'window-opened': eventSchemas['window-opened'] },
  commandSchemas: { 'set-target': firstSetTarget },
};

/** How it was edited: sensors came, then the set point was limited. The last edit makes it what it is. */
export const thermostatEdits = [
  {
    hoursAgo: 50.2,
    edit: {
      stateSchema: { type: 'object', properties: { ...firstProperties, window, battery } },
      eventSchemas,
      commandSchemas: { 'set-target': firstSetTarget, identify: commandSchemas.identify },
    },
  },
  { hoursAgo: 26.7, edit: { description: sampleThermostat.description, stateSchema, commandSchemas } },
];
