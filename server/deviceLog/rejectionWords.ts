/** Why a device is turned away, and what to do about it beyond connecting again. */
const rejections: Record<string, { why: string; advice?: string }> = {
  KEY_CHANGED: { why: 'The key was wrong.' },
  KEY_EXPIRED: { why: 'The temporary key had expired.' },
  SUSPENDED: { why: 'The device was suspended.' },
  DELETED: { why: 'The device was deleted.' },
  CLIENT_ID: {
    why: 'Its client id is longer than 128 characters, or empty without a clean session.',
    advice: 'Give it a short client id of its own.',
  },
  TOO_MANY: {
    why: 'It has four connections under other client ids already.',
    advice: 'Let a device keep one client id, and close connections it no longer needs.',
  },
  TOPIC_FORBIDDEN: {
    why: 'Its will is for a topic that is not its own.',
    advice: 'Let its will be an event or a state below its own prefix: d/{its id}/events/{name}.',
  },
};

/** A wrong key says something that no other rejection can take back. */
export const isOfKey = (reason: string) => reason === 'KEY_CHANGED' || reason === 'KEY_EXPIRED';

export const whyRejected = (reason: string) => rejections[reason]?.why ?? reason;

export const adviceAfterRejection = (reason: string) => rejections[reason]?.advice ?? 'Let it connect again.';
