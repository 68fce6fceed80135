import type { Json } from '#console/modules/config/configSchema.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { parseSubscribedEvents } from '#rules/apps/subscribedEvents.ts';

export interface ModuleValues {
  description: string;
  /** As text, one name per line. */
  subscribedEvents: string;
  deviceClasses: readonly string[];
  bulkDataLabel: string;
  dataSourceModules: readonly string[];
  configData: Json;
}

export const emptyModule: ModuleValues = {
  description: '',
  subscribedEvents: '',
  deviceClasses: [],
  bulkDataLabel: '',
  dataSourceModules: [],
  configData: {},
};

export const valuesOf = (module: SmartModule): ModuleValues => ({
  description: module.description,
  subscribedEvents: module.subscribedEvents.join('\n'),
  deviceClasses: module.deviceClasses,
  bulkDataLabel: module.bulkDataLabel,
  dataSourceModules: module.dataSourceModules,
  configData: module.configData,
});

/** The request body: names of events are parsed from their text. */
export function bodyOf<Given extends Partial<ModuleValues>>({ subscribedEvents, ...rest }: Given) {
  return {
    ...(rest as Omit<Given, 'subscribedEvents'>),
    ...(subscribedEvents !== undefined && {
      subscribedEvents: parseSubscribedEvents(subscribedEvents).names,
    }),
  };
}

/** The faults that can be found without asking the server. */
export function faultsOf({ subscribedEvents }: Pick<ModuleValues, 'subscribedEvents'>): {
  subscribedEvents?: string;
} {
  return parseSubscribedEvents(subscribedEvents).faults.length > 0
    ? { subscribedEvents: 'INVALID_FORMAT' }
    : {};
}
