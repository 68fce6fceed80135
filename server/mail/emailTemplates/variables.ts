interface Variable {
  description: string;
  sample: string;
  /** A `name` was chosen by an end user and may be hostile. A `link` is an address of the platform. */
  kind: 'name' | 'link' | 'text';
}

/** All variables of e-mails to end users. */
export const variables = {
  'project.name': { description: 'Name of the project', sample: 'Harbour Home', kind: 'text' },
  'user.name': {
    description: 'Name of the recipient, or the e-mail address if no name is set',
    sample: 'Ada Lovelace',
    kind: 'name',
  },
  'user.email': { description: 'E-mail address of the recipient', sample: 'ada@example.com', kind: 'text' },
  'user.newEmail': {
    description: 'The new e-mail address',
    sample: 'ada@example.net',
    kind: 'text',
  },
  'inviter.name': {
    description: 'Name of the inviter; empty if no person sent the invitation',
    sample: 'Charles Babbage',
    kind: 'name',
  },
  'device.name': {
    description: 'Name of the device, or its tag if it has no name',
    sample: 'Kitchen thermostat',
    kind: 'name',
  },
  'device.tag': { description: 'Tag of the device', sample: 'thermostat-7', kind: 'name' },
  'event.name': { description: 'Name of the event', sample: 'doorOpened', kind: 'name' },
  'event.time': {
    description: 'When it happened, in the home’s time zone',
    sample: '20 Nov 2026, 09:46',
    kind: 'text',
  },
  'home.name': { description: 'Name of the home', sample: 'Lighthouse Road 7', kind: 'name' },
  'link.url': {
    description: 'The link the recipient opens; it works once',
    sample: 'https://example.com/open?token=sample',
    kind: 'link',
  },
  'link.code': {
    description: 'A six-digit code to type in the app instead of using the link; valid for 15 minutes',
    sample: '123456',
    kind: 'text',
  },
  'notice.time': { description: 'When it happened', sample: '2026-11-20 09:46 UTC', kind: 'text' },
  'notice.address': { description: 'The network address it came from', sample: '203.0.113.7', kind: 'text' },
  'notice.device': { description: 'The device that was used', sample: 'Pixel 9', kind: 'name' },
  'link.validFor': { description: 'How long the link is valid', sample: '24 hours', kind: 'text' },
} as const satisfies Record<string, Variable>;

/** A value of an event or a device state, named by the device. Code that fills it in must make it `inert` first. */
export type DeviceValue = `event.payload.${string}` | `state.${string}`;
export type VariableName = keyof typeof variables | DeviceValue;

export const kindOf = (name: string): Variable['kind'] =>
  Object.hasOwn(variables, name) ? variables[name as keyof typeof variables].kind : 'text';
