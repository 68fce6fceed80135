import { createContext, use } from 'react';
import type { ConfigFault } from '#contract/moduleConfig.ts';
import type { Schema } from './configSchema.ts';
import type { Path } from './pointers.ts';

/** What every control of a configuration form has access to. */
export interface ConfigForm {
  projectId: string;
  moduleId: string | undefined;
  defs: Schema['$defs'];
  /** The classes whose devices the module is about; empty: all. */
  deviceClasses: readonly string[];
  valueAt: (path: Path) => unknown;
  set: (path: Path, value: unknown) => void;
  /** The faults at a path; with `deep`, also those below it. */
  faultsAt: (path: Path, deep?: boolean) => readonly ConfigFault[];
  /** Sets a fault found in the browser, such as JSON that cannot be parsed; undefined clears it. */
  setBroken: (path: Path, fault: string | undefined) => void;
  /** The field has lost the focus: its faults may be shown. */
  touch: (path: Path) => void;
  /** The secrets that are set, by pointer, each with a hint that identifies it. */
  secrets: Readonly<Record<string, string>>;
  /** True: the faults apply to the form's current content. */
  isChecked: boolean;
}

export const ConfigContext = createContext<ConfigForm | undefined>(undefined);

export function useConfig(): ConfigForm {
  const form = use(ConfigContext);
  if (!form) throw new Error('A control of a configuration stands outside its form.');
  return form;
}

/** One field: its value, its fault, and how to change it. */
export function useConfigField(path: Path, deep = false) {
  const { valueAt, set, faultsAt, touch } = useConfig();
  const faults = faultsAt(path, deep);
  return {
    value: valueAt(path),
    set: (value: unknown) => set(path, value),
    fault: faults.length > 0 ? faults.map(({ message }) => message).join(' ') : undefined,
    touch: () => touch(path),
  };
}
