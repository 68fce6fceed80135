import type { Db } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { type NoticeText, renderNotice } from '#server/mail/emailTemplates/renderNotice.ts';
import type { VariableName } from '#server/mail/emailTemplates/variables.ts';
import { queueMail } from '#server/mail/sending/queueMail.ts';

/** The recipient of an e-mail of a project. */
export interface Recipient {
  project: { id: string; name: string };
  name: string;
  email: string;
}

/** When an event happened, and from which address. */
export interface Happened {
  at: Date;
  address: string;
  device?: string;
}

type Needs = Pick<Platform, 'sealing' | 'clock' | 'newId'>;

const hello = 'Hello {{ user.name }},';
const where =
  'Time: {{ notice.time }}<br>Network address: {{ notice.address }}{% if notice.device %}<br>Device: {{ notice.device }}{% endif %}';

/** A refresh token was used twice, so one of the two users is a thief. */
export function endedForReuse(db: Db, platform: Needs, to: Recipient, happened: Happened): Promise<void> {
  return send(
    db,
    platform,
    { to, happened },
    {
      heading: 'You were signed out for your safety',
      before: [
        hello,
        'Someone else may have used your session in {{ project.name }}, so you were signed out on this device. Sign in again to continue.',
        where,
      ],
      after: ['If you notice anything you did not do, change your password.'],
    },
  );
}

export function passwordChanged(db: Db, platform: Needs, to: Recipient, happened: Happened): Promise<void> {
  return send(
    db,
    platform,
    { to, happened },
    {
      heading: 'Your password was changed',
      before: [
        hello,
        'The password of your account in {{ project.name }} was changed, and your other sessions were ended.',
        where,
      ],
      after: ['If this was you, no action is needed. If not, reset your password in the app now.'],
    },
  );
}

/** Sent to the address that the account keeps until the new one is confirmed. */
export function emailChangeStarted(
  db: Db,
  platform: Needs,
  to: Recipient & { newEmail: string },
  happened: Happened,
): Promise<void> {
  return send(
    db,
    platform,
    { to, happened, newEmail: to.newEmail },
    {
      heading: 'Your e-mail address is being changed',
      before: [
        hello,
        'You asked to sign in to {{ project.name }} with {{ user.newEmail }}. The change takes effect once that address is confirmed.',
        where,
      ],
      after: ['If this was not you, change your password in the app now. That also stops the change.'],
    },
  );
}

/** Sent to the previous address of the account. */
export function emailChanged(
  db: Db,
  platform: Needs,
  to: Recipient & { newEmail: string },
  happened: Happened,
): Promise<void> {
  return send(
    db,
    platform,
    { to, happened, newEmail: to.newEmail },
    {
      heading: 'Your e-mail address was changed',
      before: [hello, 'From now on you sign in to {{ project.name }} with {{ user.newEmail }}.', where],
      after: ['If this was not you, contact the team behind {{ project.name }}.'],
    },
  );
}

/** An identity at a provider can now be used to sign in to the account. */
export function methodAdded(db: Db, platform: Needs, to: Recipient, happened: Happened): Promise<void> {
  return send(
    db,
    platform,
    { to, happened },
    {
      heading: 'A way to sign in was added',
      before: [
        hello,
        'You can now also sign in to your account in {{ project.name }} with another provider.',
        where,
      ],
      after: ['If this was not you, remove it in the app and change your password now.'],
    },
  );
}

/** Someone registered with an address that has an account; only its owner is told. */
export function alreadyRegistered(db: Db, platform: Needs, to: Recipient, happened: Happened): Promise<void> {
  return send(
    db,
    platform,
    { to, happened },
    {
      heading: 'You already have an account',
      before: [
        hello,
        'Someone, most likely you, tried to sign up for {{ project.name }} with this address. It already has an account: sign in, or reset the password if you forgot it.',
        where,
      ],
      after: ['If this was not you, ignore this e-mail. Nothing has changed.'],
    },
  );
}

async function send(
  db: Db,
  platform: Needs,
  { to, happened, newEmail }: { to: Recipient; happened: Happened; newEmail?: string },
  says: NoticeText,
): Promise<void> {
  const data: Partial<Record<VariableName, string>> = {
    'project.name': to.project.name,
    'user.name': to.name || to.email,
    'user.email': to.email,
    'notice.time': `${happened.at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    'notice.address': happened.address,
    'notice.device': happened.device ?? '',
    ...(newEmail !== undefined && { 'user.newEmail': newEmail }),
  };
  const letter = await renderNotice(says, data);
  await queueMail(db, platform, { to: to.email, letter });
}
