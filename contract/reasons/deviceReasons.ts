import type { Sentences } from './sentences.ts';

export const deviceReasons = {
  // Device classes and devices
  ID_TAKEN: [409, 'This id is taken. Choose another.'],
  AMBIGUOUS_ID: [409, 'This id exists in more than one of your projects. Send projectId as well.'],
  PROJECT_NOT_DEFINED: [400, 'The project is missing. Send projectId.'],
  DEPENDENCY_RESTRICTION: [409, 'It cannot be deleted because it is currently in use.'],
  DEVICE_CLASS_NOT_FOUND: [404, 'This device class does not exist.'],
  CLASS_REVISION_NOT_FOUND: [404, 'This revision of the class does not exist, or is no longer kept.'],
  TOO_MANY_CLASSES: [422, 'A project can have at most 500 device classes. Delete one first.'],
  INVALID_SCHEMA: [422, 'This is not a supported JSON Schema. Fix the highlighted value.'],
  INVALID_KEY: [
    400,
    'A key consists of letters and digits, with _ - : in between, and starts and ends with a letter or digit.',
  ],
  NULL_VALUE: [
    422,
    'The value cannot be null: a device could not tell it from a missing key. Delete the pair instead.',
  ],
  KEY_TAKEN: [409, 'A key-value pair with the same key already exists.'],
  KV_PAIR_NOT_FOUND: [404, 'This key-value pair does not exist.'],
  TOO_MANY_PAIRS: [422, 'There are already 1,000 key-value pairs. Delete one first.'],
  DEVICE_NOT_FOUND: [404, 'This device does not exist.'],
  DEVICE_SUSPENDED: [409, 'The device is suspended. Resume it first.'],
  DEVICE_CLAIMED: [409, 'The device is already claimed, so it has no claim code.'],
  CLAIM_CODE_TAKEN: [409, 'Another device in the project has this claim code. Choose another.'],
  KEY_FORGOTTEN: [
    409,
    'This project does not store device keys: the key was shown once. Rotate it to get a new one.',
  ],
  SCHEMA_BROKEN: [422, 'The value violates the schema of the device class. Fix the highlighted parts.'],
  ACTION_NOT_FOUND: [404, 'This bulk action does not exist, or its record has expired.'],
  IMPORT_NOT_FOUND: [404, 'This import does not exist, or its record has expired.'],
  IMPORT_NOT_READY: [409, 'Only a validated import without errors can be applied.'],
  TOO_MANY_IMPORTS: [422, 'Three imports are already running in this project. Wait until one has finished.'],
  // Commands and device logs
  TOO_MANY_COMMANDS: [422, 'This device has 1,000 queued commands. Cancel some, or wait until they expire.'],
  ALERT_NOT_FOUND: [404, 'This alert does not exist, or its record has expired.'],
  ALERT_REPLACED: [
    409,
    'The device raised a newer alert of this kind, so this one cannot be reopened. Open the newer one.',
  ],
  COMMAND_NOT_FOUND: [404, 'This command does not exist, or its record has expired.'],
  COMMAND_SENT: [409, 'The command has already been sent and can no longer be cancelled.'],
  LOG_RETRIEVAL_OFF: [409, 'Log retrieval is disabled in this project. Enable it in the settings.'],
  LOG_REQUEST_PENDING: [
    409,
    'There is a log request in pending. Please cancel it before creating a new one.',
  ],
  LOG_REQUEST_NOT_FOUND: [404, 'This log request does not exist.'],
  LOG_REQUEST_OVER: [409, 'The log request is closed and can no longer be cancelled.'],
  START_NOT_BEFORE_END: [422, 'Start date must be before end date.'],
} as const satisfies Sentences;
