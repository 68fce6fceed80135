import type { Sentences } from './sentences.ts';

export const firmwareReasons = {
  // Firmware
  COMPONENT_NOT_FOUND: [404, 'This component does not exist.'],
  COMPONENT_VERSION_NOT_FOUND: [404, 'This component version does not exist.'],
  BUNDLE_NOT_FOUND: [404, 'This bundle does not exist.'],
  CHANNEL_NOT_FOUND: [404, 'This channel does not exist.'],
  ROLLOUT_NOT_FOUND: [404, 'This rollout does not exist.'],
  UPLOAD_NOT_FOUND: [404, 'This upload does not exist, is complete or has expired. Start a new one.'],
  NAME_TAKEN: [409, 'This name is taken. Choose another.'],
  NAME_IN_USE: [409, 'It is part of a bundle, and devices know it by this name. Create a new one instead.'],
  TOO_MANY_COMPONENTS: [422, 'A project can have at most 200 components. Delete one first.'],
  TOO_MANY_VERSIONS: [422, 'A component can have at most 1,000 versions. Delete one first.'],
  TOO_MANY_BUNDLES: [422, 'A project can have at most 5,000 bundles. Delete one first.'],
  TOO_MANY_CHANNELS: [422, 'A project can have at most 500 channels. Delete one first.'],
  VERSION_HAS_FILE: [409, 'This version already has a file. Create a new version.'],
  VERSION_NOT_READY: [
    409,
    'A version of the bundle has no verified file yet. Upload one, or wait until the version is ready.',
  ],
  COMPONENT_TWICE: [422, 'A bundle can have only one version of each component. Remove the others.'],
  PARTS_UNFIT: [
    422,
    'A part has at most 64 MiB, and at least 5 MiB if there are several. Choose a different number of parts.',
  ],
  PARTS_MISSING: [409, 'Some parts are missing. Read the upload to see which, and send them.'],
  DIGEST_MISMATCH: [422, 'The part does not match its Content-Digest. Send it again.'],
  SIGNATURE_INVALID: [422, 'The signature is not valid for this file and the component’s signing keys.'],
  URL_EXPIRED: [403, 'This link has expired. Read your target again.'],
  BUNDLE_UNCHANGED: [409, 'The channel already points at this bundle.'],
  ROLLOUT_RUNNING: [409, 'The channel has an unfinished rollout. Stop it first.'],
  ROLLOUT_STATE: [409, 'This is not possible in the current state of the rollout. Reload it.'],
  STEPS_UNFIT: [422, 'Steps must increase to 100 %, and steps that have started cannot change.'],
  NOTHING_TO_APPROVE: [409, 'The device has no update that can be approved or postponed.'],
  NOTHING_TO_RETRY: [409, 'The update of this device has not failed, was not declined, and is installed.'],
} as const satisfies Sentences;
