import type { EmailTemplateId } from '#contract/emailTemplate.ts';
import { defaultBody } from './defaultBody.ts';
import type { VariableName } from './variables.ts';

interface Template {
  name: string;
  /** When the mail is sent, and to whom. */
  description: string;
  variables: readonly VariableName[];
  subject: string;
  body: string;
}

const user = ['project.name', 'user.name', 'user.email'] as const;
const link = ['link.url', 'link.validFor'] as const;
const home = ['home.name', 'inviter.name'] as const;

const notYou = 'If this was not you, ignore this mail. Nothing changes until the link is opened.';
const works = 'The link works once, for {{ link.validFor }}.';
const hello = 'Hello {{ user.name }},';

/** The mails to end users as they are until a developer changes them. */
export const templates = {
  'user-verification': {
    name: 'User verification',
    description: 'To a user who signed up: proves that the e-mail address is theirs.',
    variables: [...user, ...link],
    subject: 'Verify your e-mail address for {{ project.name }}',
    body: defaultBody({
      heading: 'Verify your e-mail address',
      before: [hello, 'Your account is ready. Confirm that this address is yours to begin.'],
      button: 'Verify e-mail',
      after: [works, notYou],
    }),
  },
  'user-invite': {
    name: 'User invitation',
    description: 'To somebody who was invited to make an account: leads to choosing a password.',
    variables: [...user, 'inviter.name', ...link],
    subject: 'You are invited to {{ project.name }}',
    body: defaultBody({
      heading: 'You are invited to {{ project.name }}',
      before: [
        '{% if inviter.name %}{{ inviter.name }} invites you{% else %}You are invited{% endif %} to {{ project.name }}. Choose a password to begin; you will sign in with {{ user.email }}.',
      ],
      button: 'Accept invitation',
      after: [works, 'If you do not know what this is about, ignore this mail.'],
    }),
  },
  'user-password-reset': {
    name: 'Password reset',
    description: 'To a user who asked for a new password: leads to choosing it.',
    variables: [...user, ...link],
    subject: 'Set a new password for {{ project.name }}',
    body: defaultBody({
      heading: 'Set a new password',
      before: [hello, 'Somebody, most likely you, asked to set a new password for your account.'],
      button: 'Set new password',
      after: [works, notYou],
    }),
  },
  'user-email-update': {
    name: 'E-mail change',
    description: 'To the new address of a user who changes it: proves that it is theirs.',
    variables: [...user, 'user.newEmail', ...link],
    subject: 'Confirm your new e-mail address for {{ project.name }}',
    body: defaultBody({
      heading: 'Confirm your new e-mail address',
      before: [
        hello,
        'You asked to sign in with {{ user.newEmail }} instead of {{ user.email }}. Confirm that the new address is yours.',
      ],
      button: 'Confirm e-mail',
      after: [works, notYou],
    }),
  },
  'home-member-invite': {
    name: 'Home invitation',
    description: 'To somebody without an account who was invited into a home.',
    variables: [...user, ...home, ...link],
    subject:
      '{% if inviter.name %}{{ inviter.name }} invites you{% else %}You are invited{% endif %} to {{ home.name }}',
    body: defaultBody({
      heading: 'Welcome to {{ home.name }}',
      before: [
        '{% if inviter.name %}{{ inviter.name }} invites you{% else %}You are invited{% endif %} to share the home {{ home.name }} in {{ project.name }}: you will see and control what is in it.',
      ],
      button: 'Accept invitation',
      after: [works, 'If you do not know what this is about, ignore this mail.'],
    }),
  },
  'home-member-notify': {
    name: 'Home membership',
    description: 'To a user with an account who was made a member of a home.',
    variables: [...user, ...home],
    subject: 'You are a member of {{ home.name }} now',
    body: defaultBody({
      heading: 'You are a member of {{ home.name }}',
      before: [
        hello,
        '{% if inviter.name %}{{ inviter.name }} made you{% else %}You were made{% endif %} a member of the home {{ home.name }} in {{ project.name }}. You find it in the app the next time you open it.',
      ],
      after: ['If you do not know what this is about, leave the home in the app.'],
    }),
  },
} as const satisfies Record<EmailTemplateId, Template>;

/** The values that a template's mail is made of. */
export type DataOf<Id extends EmailTemplateId> = Record<(typeof templates)[Id]['variables'][number], string>;

/** Which templates a project has any use for (spec §2). */
export function isInUse(
  id: EmailTemplateId,
  project: {
    userAccountMode: 'email' | 'external';
    restrictUserReg: boolean;
    enablePermissionBasedAccessControl: boolean;
  },
): boolean {
  // Users whom the developer's own back end brings get their mails from there.
  if (project.userAccountMode !== 'email') return false;
  if (id === 'user-verification') return !project.restrictUserReg;
  if (id === 'home-member-invite' || id === 'home-member-notify')
    return !project.enablePermissionBasedAccessControl;
  return true;
}
