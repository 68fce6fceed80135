import { type Capability, capabilities } from '#contract/endpoint.ts';
import type { Key } from '#contract/key.ts';

interface Words {
  label: string;
  /** One word, for a list. */
  mark: string;
  /** What a key with this capability may do. */
  hint: string;
  /** Completes "In 30 days it never …". */
  did: string;
}

export const capabilityWords: Record<Capability, Words> = {
  canSendCommands: {
    label: 'Send commands',
    mark: 'commands',
    hint: 'Sends commands to devices.',
    did: 'sent commands',
  },
  canSendEvents: {
    label: 'Send events',
    mark: 'events',
    hint: 'Sends events to the apps of users, homes and devices.',
    did: 'sent events',
  },
  canHandleBYOU: {
    label: 'Bring your own users',
    mark: 'users',
    hint: 'Creates users with your own ids and starts their sessions.',
    did: 'created users',
  },
  canUpdateKVStores: {
    label: 'Update key-value stores',
    mark: 'key-values',
    hint: 'Reads and writes the key-value pairs of classes and devices.',
    did: 'updated key-value stores',
  },
  canAdmin: {
    label: 'Admin',
    mark: 'admin',
    hint: 'Manages devices, homes, users, smart modules and alerts, and reads apps. Use a separate key for it.',
    did: 'acted as admin',
  },
};

/** The capabilities of a key, in the order of the contract. */
export const allowedOf = (key: Pick<Key, Capability>): Capability[] => capabilities.filter(one => key[one]);
