import type { EmailTemplateId } from '#contract/emailTemplate.ts';
import { defaultLayout } from './defaultLayout.ts';
import type { VariableName } from './variables.ts';

interface Template {
  name: string;
  /** When the e-mail is sent, and to whom. */
  description: string;
  variables: readonly VariableName[];
  subject: string;
  body: string;
}

const user = ['project.name', 'user.name', 'user.email'] as const;
const link = ['link.url', 'link.validFor'] as const;
const code = [...link, 'link.code'] as const;
const home = ['home.name', 'inviter.name'] as const;

const notYou = 'If this was not you, ignore this e-mail. Nothing changes until the code or the link is used.';
const type =
  'Type the code <strong>{{ link.code }}</strong> in the app within 15 minutes, or use the button.';
const works = 'The link works once and expires in {{ link.validFor }}.';
const hello = 'Hello {{ user.name }},';

/** The default e-mails to end users, used until a developer changes them. */
export const defaultTemplates = {
  'user-verification': {
    name: 'User verification',
    description: 'Sent when a user signs up, to verify their e-mail address.',
    variables: [...user, ...code],
    subject: 'Verify your e-mail address for {{ project.name }}',
    body: defaultLayout({
      heading: 'Verify your e-mail address',
      before: [hello, 'Your account is ready. To start using it, confirm that this address is yours.', type],
      button: 'Verify e-mail',
      after: [works, notYou],
    }),
  },
  'user-invite': {
    name: 'User invitation',
    description:
      'Sent to a person who is invited to create an account. The link lets them choose a password, or says how to sign in without.',
    variables: [...user, 'inviter.name', ...link],
    subject: 'You are invited to {{ project.name }}',
    body: defaultLayout({
      heading: 'You are invited to {{ project.name }}',
      before: [
        '{% if inviter.name %}{{ inviter.name }} invited you{% else %}You are invited{% endif %} to {{ project.name }}. You will sign in with {{ user.email }}.',
      ],
      button: 'Accept invitation',
      after: [works, 'If you were not expecting this invitation, you can ignore this e-mail.'],
    }),
  },
  'user-password-reset': {
    name: 'Password reset',
    description: 'Sent when a user asks to reset their password. The link lets them choose a new one.',
    variables: [...user, ...code],
    subject: 'Reset your password for {{ project.name }}',
    body: defaultLayout({
      heading: 'Reset your password',
      before: [hello, 'Someone, most likely you, asked to reset the password of your account.', type],
      button: 'Set new password',
      after: [works, notYou],
    }),
  },
  'user-email-update': {
    name: 'E-mail change',
    description: 'Sent to the new address when a user changes their e-mail, to verify it.',
    variables: [...user, 'user.newEmail', ...code],
    subject: 'Confirm your new e-mail address for {{ project.name }}',
    body: defaultLayout({
      heading: 'Confirm your new e-mail address',
      before: [
        hello,
        'You asked to sign in with {{ user.newEmail }} instead of {{ user.email }}. Confirm that the new address is yours.',
        type,
      ],
      button: 'Confirm e-mail',
      after: [works, notYou],
    }),
  },
  'home-member-invite': {
    name: 'Home invitation',
    description: 'Sent to a person without an account who is invited to a home.',
    variables: [...user, ...home, ...link],
    subject:
      '{% if inviter.name %}{{ inviter.name }} invited you{% else %}You are invited{% endif %} to {{ home.name }}',
    body: defaultLayout({
      heading: 'Welcome to {{ home.name }}',
      before: [
        '{% if inviter.name %}{{ inviter.name }} invited you{% else %}You are invited{% endif %} to share the home {{ home.name }} in {{ project.name }}. You will be able to see and control everything in it.',
      ],
      button: 'Accept invitation',
      after: [works, 'If you were not expecting this invitation, you can ignore this e-mail.'],
    }),
  },
  'home-member-notify': {
    name: 'Home membership',
    description: 'Sent to a user with an account who is added to a home.',
    variables: [...user, ...home],
    subject: 'You are now a member of {{ home.name }}',
    body: defaultLayout({
      heading: 'You are a member of {{ home.name }}',
      before: [
        hello,
        '{% if inviter.name %}{{ inviter.name }} added you{% else %}You were added{% endif %} to the home {{ home.name }} in {{ project.name }}. It appears in the app the next time you open it.',
      ],
      after: ['If you were not expecting this, you can leave the home in the app.'],
    }),
  },
} as const satisfies Record<EmailTemplateId, Template>;

/** The values that a template needs. */
export type DataOf<Id extends EmailTemplateId> = Record<
  (typeof defaultTemplates)[Id]['variables'][number],
  string
>;

/** Whether a project can use a template. */
export function isInUse(
  id: EmailTemplateId,
  project: {
    userAccountMode: 'email' | 'external';
    restrictUserReg: boolean;
    enablePermissionBasedAccessControl: boolean;
  },
): boolean {
  // Users that the developer's own back end manages get their e-mails from there.
  if (project.userAccountMode !== 'email') return false;
  if (id === 'user-verification') return !project.restrictUserReg;
  if (id === 'home-member-invite' || id === 'home-member-notify')
    return !project.enablePermissionBasedAccessControl;
  return true;
}
