/** What a sample project is given: a home's thermostats and door sensors. */
export const sampleClasses = [
  {
    id: 'thermostat',
    description: 'Radiator thermostats. Their schemas say what they may report, tell and be told.',
    stateSchema: {
      type: 'object',
      properties: {
        temperature: { type: 'number', minimum: -20, maximum: 60, description: 'Measured, in °C' },
        target: { type: 'number', minimum: 5, maximum: 30, description: 'Wanted, in °C' },
        mode: { enum: ['off', 'heat', 'eco'] },
        window: { enum: ['open', 'closed'] },
        battery: { type: 'integer', minimum: 0, maximum: 100, description: 'Percent' },
      },
    },
    eventSchemas: {
      'window-opened': { type: 'object', properties: { temperature: { type: 'number' } } },
      'battery-low': { type: 'object', properties: { battery: { type: 'integer' } }, required: ['battery'] },
    },
    commandSchemas: {
      'set-target': {
        type: 'object',
        properties: { celsius: { type: 'number', minimum: 5, maximum: 30 } },
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
  },
  {
    id: 'door-sensor',
    description: 'Contacts at doors, which tell when they open and close.',
    stateSchema: {
      type: 'object',
      properties: {
        open: { type: 'boolean' },
        battery: { type: 'integer', minimum: 0, maximum: 100, description: 'Percent' },
      },
    },
    eventSchemas: { opened: { type: 'object' }, closed: { type: 'object' } },
    commandSchemas: {
      identify: { type: 'object', properties: { seconds: { type: 'integer', minimum: 1, maximum: 60 } } },
    },
    kv: { 'debounce-ms': 250 },
  },
];

export const sampleDevices = [
  {
    deviceClass: 'thermostat',
    tag: 'thermostat-hall',
    name: 'Hall',
    description: 'By the front door, where it is coldest',
    reported: { temperature: 19.5, target: 20, mode: 'heat', window: 'closed', battery: 87 },
  },
  {
    deviceClass: 'thermostat',
    tag: 'thermostat-living',
    name: 'Living room',
    description: '',
    reported: { temperature: 21.2, target: 21, mode: 'heat', window: 'closed', battery: 64 },
  },
  {
    deviceClass: 'thermostat',
    tag: 'thermostat-kitchen',
    name: 'Kitchen',
    description: '',
    reported: { temperature: 18.4, target: 17, mode: 'eco', window: 'open', battery: 92 },
  },
  {
    deviceClass: 'thermostat',
    tag: 'thermostat-attic',
    name: 'Attic',
    description: 'New in its box: it has never said anything',
    reported: {},
  },
  {
    deviceClass: 'door-sensor',
    tag: 'door-front',
    name: 'Front door',
    description: '',
    reported: { open: false, battery: 71 },
  },
  {
    deviceClass: 'door-sensor',
    tag: 'door-cellar',
    name: 'Cellar door',
    description: '',
    reported: { open: true, battery: 18 },
  },
];
