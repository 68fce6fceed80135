interface Variable {
  description: string;
  sample: string;
  /** A `name` was chosen by an end user, who may have tried to smuggle something in. A `link` is an address of ours. */
  kind: 'name' | 'link' | 'text';
}

/** Everything that can stand in a mail to an end user. */
export const variables = {
  'project.name': { description: 'Name of the project', sample: 'Harbour Home', kind: 'text' },
  'user.name': {
    description: 'What the recipient is called; the e-mail address where no name was given',
    sample: 'Ada Lovelace',
    kind: 'name',
  },
  'user.email': { description: 'E-mail address of the recipient', sample: 'ada@example.com', kind: 'text' },
  'user.newEmail': {
    description: 'The address that is to take the place of the present one',
    sample: 'ada@example.net',
    kind: 'text',
  },
  'inviter.name': {
    description: 'Who invites; empty where it is nobody in particular',
    sample: 'Charles Babbage',
    kind: 'name',
  },
  'home.name': { description: 'Name of the home', sample: 'Lighthouse Road 7', kind: 'name' },
  'link.url': {
    description: 'The link that the recipient opens; it works once',
    sample: 'https://example.com/open?token=sample',
    kind: 'link',
  },
  'link.validFor': { description: 'How long the link works', sample: '24 hours', kind: 'text' },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;
