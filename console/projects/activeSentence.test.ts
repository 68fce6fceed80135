import { expect, it } from 'vitest';
import { activeSentence } from './activeSentence.ts';

it.each([
  ['Device dev_1 updated', 'updated device dev_1'],
  ['Project Nordlys created Home created', 'created project Nordlys created Home'],
  ['Command reboot sent to device dev_1', 'sent command reboot to device dev_1'],
  ['ola@example.com added to the team as viewer', 'added ola@example.com to the team as viewer'],
  ['Device dev_1 released from home 1001', 'released device dev_1 from home 1001'],
  ['Key report-every of device class valve written', 'wrote the key report-every of device class valve'],
  ['Desired state of device dev_1 changed', 'changed the desired state of device dev_1'],
  [
    'Rollout of winter-25 to channel stable rolled back',
    'rolled back the rollout of winter-25 to channel stable',
  ],
  ['A session of user usr_1 ended', undefined],
  ['A command to device dev_1 cancelled', 'cancelled a command to device dev_1'],
  ['E-mails about alerts turned off', undefined],
  ['Signed out', undefined],
])('an entry is put into the active voice if its sentence allows it: %s', (text, told) => {
  expect(activeSentence(text)).toBe(told);
});
