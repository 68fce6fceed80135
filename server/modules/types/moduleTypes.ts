import type { ModuleTypeId } from '#contract/moduleConfig.ts';
import type { SmartModuleType } from '#contract/smartModule.ts';
import { fetchType } from '#server/modules/data/fetchType.ts';
import { tableType } from '#server/modules/data/tableType.ts';
import { notifyType } from '#server/modules/notify/notifyType.ts';
import { ruleType } from '#server/modules/rules/ruleType.ts';
import { scheduleType } from '#server/modules/schedules/scheduleType.ts';
import type { ModuleType } from '#server/modules/smartModules/moduleType.ts';
import { webhookType } from '#server/modules/webhooks/webhookType.ts';

/** Every type of smart module, in the order in which the console offers them. */
// biome-ignore lint/suspicious/noExplicitAny: each type has its own configuration, checked where it is read
export const moduleTypes: readonly ModuleType<any>[] = [
  ruleType,
  webhookType,
  notifyType,
  scheduleType,
  fetchType,
  tableType,
];

export const findModuleType = (id: string): ModuleType | undefined =>
  moduleTypes.find(type => type.id === id);

export function typeOf(id: ModuleTypeId): ModuleType {
  const type = findModuleType(id);
  if (!type) throw new Error(`There is no module type ${id}.`);
  return type;
}

export function toTypeAnswer(type: ModuleType): SmartModuleType {
  const { id, name, summary, takesEvents, isDataSource } = type;
  return {
    id,
    name,
    summary,
    takesEvents,
    isDataSource,
    dataSourceModuleTypes: [...type.dataSourceModuleTypes],
    canBeTested: type.test !== undefined || type.takesEvents,
  };
}
