import type { DisconnectReason } from '#contract/deviceProtocol.ts';

/** The thermostat class in its latest revision. */
export const sampleThermostat = {
  id: 'thermostat',
  description: 'Radiator thermostats. Their schemas define the states, events and commands they support.',
  stateSchema: {
    type: 'object',
    properties: {
      temperature: {
        type: 'number',
        unit: '°C',
        minimum: -20,
        maximum: 60,
        title: 'Measured',
        readOnly: true,
      },
      target: { type: 'number', unit: '°C', minimum: 5, maximum: 30, title: 'Set point' },
      mode: { enum: ['off', 'heat', 'eco'] },
      window: { enum: ['open', 'closed'] },
      battery: { type: 'integer', unit: '%', minimum: 0, maximum: 100, readOnly: true },
    },
  },
  eventSchemas: {
    'window-opened': { type: 'object', properties: { temperature: { type: 'number' } } },
    'battery-low': { type: 'object', properties: { battery: { type: 'integer' } }, required: ['battery'] },
  },
  commandSchemas: {
    'set-target': {
      type: 'object',
      properties: { celsius: { type: 'number', unit: '°C', minimum: 5, maximum: 30 } },
      required: ['celsius'],
      additionalProperties: false,
    },
    identify: { type: 'object', properties: { seconds: { type: 'integer', minimum: 1, maximum: 60 } } },
  },
  kv: {
    'report-every-s': 60,
    'comfort:celsius': 21,
    'eco:schedule': { weekdays: ['08:00', '16:00'], celsius: 17 },
  },
};

/** The device classes of a sample project: a home's thermostats and door sensors. */
export const sampleClasses = [
  sampleThermostat,
  {
    id: 'door-sensor',
    description: 'Door contacts that send an event when they open or close.',
    stateSchema: {
      type: 'object',
      properties: {
        open: { type: 'boolean' },
        battery: { type: 'integer', unit: '%', minimum: 0, maximum: 100, readOnly: true },
      },
    },
    eventSchemas: { opened: { type: 'object' }, closed: { type: 'object' } },
    commandSchemas: {
      identify: { type: 'object', properties: { seconds: { type: 'integer', minimum: 1, maximum: 60 } } },
    },
    kv: { 'debounce-ms': 250 },
  },
  {
    id: 'lamp',
    description: 'Lamps that an app switches and dims.',
    stateSchema: {
      type: 'object',
      properties: {
        on: { type: 'boolean', title: 'Light' },
        brightness: {
          type: 'integer',
          unit: '%',
          minimum: 0,
          maximum: 100,
          multipleOf: 10,
          title: 'Brightness',
        },
        colour: { enum: ['warm', 'neutral', 'cool'], title: 'Colour' },
      },
    },
    eventSchemas: {
      overheated: { type: 'object', properties: { celsius: { type: 'number', unit: '°C' } } },
    },
    commandSchemas: {
      blink: {
        type: 'object',
        properties: { times: { type: 'integer', minimum: 1, maximum: 10, default: 3 } },
      },
    },
    kv: { 'fade-ms': 400 },
  },
];

export interface SampleDevice {
  deviceClass: string;
  tag: string;
  name: string;
  description: string;
  reported: Record<string, unknown>;
  /** What the device did before the project was created; times are in hours ago. */
  past?: {
    address: string;
    /** Its connections, the latest last. */
    connections: { from: number; to: number; reason: DisconnectReason }[];
    reported: number;
    events: { ago: number; name: string; payload: Record<string, unknown> }[];
  };
}

/** When the devices were created, before the first of them connected. */
export const sampleMadeHoursAgo = 72;

export const sampleDevices: readonly SampleDevice[] = [
  {
    deviceClass: 'thermostat',
    tag: 'thermostat-hall',
    name: 'Hall',
    description: 'By the front door, the coldest spot',
    reported: { temperature: 19.5, target: 20, mode: 'heat', window: 'closed', battery: 87 },
    past: {
      address: '192.0.2.11',
      connections: [
        { from: 71.5, to: 49.2, reason: 'LOST' },
        { from: 49.1, to: 2.5, reason: 'CLOSED' },
      ],
      reported: 2.6,
      events: [
        { ago: 51.3, name: 'window-opened', payload: { temperature: 17.1 } },
        { ago: 27.2, name: 'window-opened', payload: { temperature: 16.8 } },
      ],
    },
  },
  {
    deviceClass: 'thermostat',
    tag: 'thermostat-living',
    name: 'Living room',
    description: '',
    reported: { temperature: 21.2, target: 21, mode: 'heat', window: 'closed', battery: 64 },
    past: {
      address: '192.0.2.12',
      connections: [{ from: 71.4, to: 2.5, reason: 'CLOSED' }],
      reported: 2.55,
      events: [{ ago: 20.4, name: 'window-opened', payload: { temperature: 20.3 } }],
    },
  },
  {
    deviceClass: 'thermostat',
    tag: 'thermostat-kitchen',
    name: 'Kitchen',
    description: '',
    reported: { temperature: 18.4, target: 17, mode: 'eco', window: 'open', battery: 92 },
    past: {
      address: '192.0.2.13',
      connections: [
        { from: 71.3, to: 30.4, reason: 'SILENT' },
        { from: 30.2, to: 2.5, reason: 'CLOSED' },
      ],
      reported: 2.6,
      events: [
        { ago: 44.1, name: 'window-opened', payload: { temperature: 19.7 } },
        { ago: 2.8, name: 'window-opened', payload: { temperature: 18.6 } },
      ],
    },
  },
  {
    deviceClass: 'thermostat',
    tag: 'thermostat-attic',
    name: 'Attic',
    description: 'Still in its box: it has never connected',
    reported: {},
  },
  {
    deviceClass: 'door-sensor',
    tag: 'door-front',
    name: 'Front door',
    description: '',
    reported: { open: false, battery: 71 },
    past: {
      address: '192.0.2.21',
      connections: [{ from: 71.2, to: 2.4, reason: 'CLOSED' }],
      reported: 3.1,
      events: [
        { ago: 26.4, name: 'opened', payload: {} },
        { ago: 26.38, name: 'closed', payload: {} },
        { ago: 3.12, name: 'opened', payload: {} },
        { ago: 3.1, name: 'closed', payload: {} },
      ],
    },
  },
  {
    deviceClass: 'door-sensor',
    tag: 'door-cellar',
    name: 'Cellar door',
    description: '',
    reported: { open: true, battery: 18 },
    past: {
      address: '192.0.2.22',
      connections: [{ from: 71.1, to: 9.3, reason: 'SILENT' }],
      reported: 9.4,
      events: [
        {
          ago: 9.6,
          name: 'battery-low',
          payload: { battery: 18, _alert: { severity: 'warning', text: 'The battery is at 18 %' } },
        },
        { ago: 9.4, name: 'opened', payload: {} },
      ],
    },
  },
  {
    deviceClass: 'lamp',
    tag: 'lamp-desk',
    name: 'Desk lamp',
    description: 'Not in a home yet: claim it with the app simulator, and switch it',
    reported: {},
  },
];
