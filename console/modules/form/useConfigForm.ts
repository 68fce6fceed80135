import { useMemo, useRef, useState } from 'react';
import type { ConfigForm } from '#console/modules/config/ConfigContext.ts';
import { type Json, pruned, type Schema } from '#console/modules/config/configSchema.ts';
import { type Path, pointerOf, valueAt, withValueAt } from '#console/modules/config/pointers.ts';
import { useConfigCheck } from '#console/modules/config/useConfigCheck.ts';
import type { CallFailed } from '#contract/client.ts';
import type { ConfigDoc, ConfigFault, ModuleTypeId } from '#contract/moduleConfig.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { bodyOf, type ModuleValues } from './moduleValues.ts';

interface Given {
  projectId: string;
  moduleId?: string;
  moduleType: ModuleTypeId;
  doc: ConfigDoc & { secrets?: Readonly<Record<string, string>> };
  values: ModuleValues;
  onChange: (config: Json) => void;
  failure: CallFailed | undefined;
}

/** The part of a module's form that depends on its type; the server checks it while it is being edited. */
export function useConfigForm({ projectId, moduleId, moduleType, doc, values, onChange, failure }: Given) {
  const schema = doc.schema as Schema;
  const sent = useMemo(
    () => pruned(schema, values.configData) as SmartModule['configData'],
    [schema, values.configData],
  );
  const { subscribedEvents, deviceClasses, dataSourceModules } = values;
  const check = useConfigCheck(projectId, {
    moduleType,
    configData: sent,
    ...bodyOf({ subscribedEvents }),
    deviceClasses: [...deviceClasses],
    dataSourceModules: [...dataSourceModules],
    ...(moduleId !== undefined && { moduleId }),
  });
  const { broken, setBroken } = useBroken();
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const refused = useRefused(failure, values.configData);
  const isAll = moduleId !== undefined || refused !== undefined;
  const known = mergedFaults(check.faults, refused ?? []);

  const latest = useRef(values.configData);
  latest.current = values.configData;
  const config: ConfigForm = {
    projectId,
    moduleId,
    defs: schema.$defs,
    deviceClasses: values.deviceClasses,
    setBroken,
    isChecked: check.isCurrent,
    secrets: doc.secrets ?? {},
    valueAt: path => valueAt(values.configData, path),
    set(path, value) {
      // Two changes within one browser event build on each other.
      latest.current = withValueAt(latest.current, path, value) as Json;
      onChange(latest.current);
    },
    touch: path => setTouched(now => new Set([...now, pointerOf(path)])),
    faultsAt: (path, deep) =>
      faultsAt(path, { deep, known, broken, isSaid: one => isAll || touched.has(one) }),
  };
  return {
    config,
    schema,
    sent,
    check,
    faults: known,
    /** True: it contains text that cannot be sent at all. */
    isBroken: broken.size > 0,
    /** True: the server has accepted the current content. */
    fits: check.isCurrent && known.length === 0 && broken.size === 0,
  };
}

export type ModuleConfigForm = ReturnType<typeof useConfigForm>;

/** Faults found in the browser, by pointer. */
function useBroken() {
  const [broken, set] = useState<ReadonlyMap<string, string>>(new Map());
  function setBroken(path: Path, fault: string | undefined): void {
    const pointer = pointerOf(path);
    set(now => {
      if (now.get(pointer) === fault) return now;
      const next = new Map([...now].filter(([one]) => one !== pointer));
      return fault === undefined ? next : next.set(pointer, fault);
    });
  }
  return { broken, setBroken };
}

/** The faults for which a save was refused, until the configuration changes. */
function useRefused(failure: CallFailed | undefined, config: Json): readonly ConfigFault[] | undefined {
  const of = useRef<{ failure: CallFailed | undefined; config: Json }>(undefined);
  if (of.current?.failure !== failure) of.current = { failure, config };
  if (failure?.reason !== 'INVALID_MODULE_CONFIG' || of.current?.config !== config) return undefined;
  return (failure.context as { faults: ConfigFault[] } | undefined)?.faults;
}

function mergedFaults(...all: (readonly ConfigFault[])[]): ConfigFault[] {
  const byText = new Map(all.flat().map(fault => [`${fault.pointer} ${fault.message}`, fault]));
  return [...byText.values()];
}

interface Known {
  deep: boolean | undefined;
  known: readonly ConfigFault[];
  broken: ReadonlyMap<string, string>;
  isSaid: (pointer: string) => boolean;
}

function faultsAt(path: Path, { deep = false, known, broken, isSaid }: Known): ConfigFault[] {
  const here = pointerOf(path);
  const isHere = (pointer: string) => pointer === here || (deep && pointer.startsWith(`${here}/`));
  const own = [...broken]
    .filter(([pointer]) => isHere(pointer))
    .map(([pointer, message]) => ({ pointer, message }));
  if (own.length > 0) return own;
  return known.filter(({ pointer }) => isHere(pointer) && (isSaid(pointer) || isSaid(here)));
}
