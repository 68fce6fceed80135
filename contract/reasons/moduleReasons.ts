import type { Sentences } from './sentences.ts';

export const moduleReasons = {
  // Smart modules
  SMART_MODULE_NOT_FOUND: [404, 'This smart module does not exist.'],
  MODULE_TYPE_NOT_FOUND: [404, 'This type of smart module does not exist.'],
  MODULE_RUN_NOT_FOUND: [404, 'This run does not exist, or its record has expired.'],
  MODULE_SUSPENDED: [409, 'The smart module is suspended. Resume it first.'],
  INVALID_MODULE_CONFIG: [422, 'The configuration is not valid. Correct the marked fields.'],
  TOO_MANY_MODULES: [422, 'A project can have at most 100 smart modules. Delete one first.'],
  LABEL_TAKEN: [409, 'Another smart module has this label. Choose another.'],
  LABEL_IN_USE: [409, 'Other smart modules use data with this label. Remove it from them first.'],
  DATA_SOURCE_UNFIT: [422, 'This type of smart module cannot use data from one of the given modules.'],
  EVENT_NOT_FOUND: [404, 'This event does not exist, or its record has expired.'],
  NOT_A_WEBHOOK: [409, 'This smart module is not a webhook, so it has no signing secret.'],
  NO_MODULE_DATA: [409, 'This type of smart module does not provide data.'],
  NOT_A_TABLE: [409, 'This smart module is not a table, so its data cannot be edited.'],
  TABLE_VERSION_NOT_FOUND: [404, 'This version of the table does not exist, or is no longer kept.'],
  TABLE_UNFIT: [422, 'The data does not fit the table. Correct the listed rows.'],
  REPLAY_NOT_FOUND: [404, 'This replay does not exist, or its result has expired.'],
  TOO_MANY_REPLAYS: [429, 'Two replays are running in this project. Wait until one has finished.'],
  NOTHING_TO_TEST: [409, 'There is no event to test this module with yet.'],
} as const satisfies Sentences;
