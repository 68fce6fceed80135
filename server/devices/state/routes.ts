import {
  listDeviceConfig,
  listDeviceEntities,
  readDeviceState,
  readReportedProperties,
  writeDesired,
} from '#contract/deviceState.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { classOf } from '#server/classes/deviceClasses/store.ts';
import { configOf } from './config.ts';
import { entitiesOf } from './readEntities.ts';
import { reportedPropertiesOf } from './reportedProperties.ts';
import { desire, stateOf } from './state.ts';

export const deviceState: Slice = {
  tables: {
    device_states: 'The reported and desired state of a device.',
    device_entities: 'An addressable part of a device.',
  },
  routes: [
    on(readDeviceState, ({ db, row }) => stateOf(db, row.projectId, row.id)),
    on(writeDesired, desire),
    on(readReportedProperties, async ({ db, row }) =>
      reportedPropertiesOf(db, await classOf(db, row.projectId, row.id)),
    ),
    on(listDeviceEntities, ({ db, row }) => entitiesOf(db, row)),
    on(listDeviceConfig, ({ db, row }) => configOf(db, row)),
  ],
};
