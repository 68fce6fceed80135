/** Why a connection was refused, and what to do about it. */
const rejections: Record<string, { why: string; advice?: string }> = {
  KEY_CHANGED: { why: 'The key was wrong.' },
  KEY_EXPIRED: { why: 'The temporary key had expired.' },
  SUSPENDED: { why: 'The device was suspended.' },
  DELETED: { why: 'The device was deleted.' },
  CLIENT_ID: {
    why: 'The client id is longer than 128 characters, or empty without a clean session.',
    advice: 'Give the device a short client id of its own.',
  },
  DISPLACED: {
    why: 'It was silent the longest of four when the device opened a fifth under another client id.',
    advice: 'Use one client id per device, and close unused connections.',
  },
  TOPIC_FORBIDDEN: {
    why: 'The topic of its will is outside its own prefix.',
    advice: 'Set the will to an event or state under the device’s own prefix: d/{deviceId}/events/{name}.',
  },
};

/** A sentence about a connection that was refused, or closed for a newer one. */
export const whatRejected = (reason: string) =>
  `A connection was ${reason === 'DISPLACED' ? 'closed' : 'refused'}: ${whyRejected(reason)}`;

/** Stored separately, because only a correct key supersedes a wrong one. */
export const isOfKey = (reason: string) => reason === 'KEY_CHANGED' || reason === 'KEY_EXPIRED';

export const whyRejected = (reason: string) => rejections[reason]?.why ?? reason;

export const adviceAfterRejection = (reason: string) => rejections[reason]?.advice ?? 'Reconnect the device.';
