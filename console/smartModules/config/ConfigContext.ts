import { createContext, use } from 'react';
import type { ConfigFault } from '#contract/smartModule.ts';
import type { Schema } from './configSchema.ts';
import type { Path } from './pointers.ts';

/** What every control of a configuration's form can reach. */
export interface ConfigForm {
  projectId: string;
  moduleId: string | undefined;
  defs: Schema['$defs'];
  /** The classes whose devices it is about; none: all. */
  deviceClasses: readonly string[];
  valueAt: (path: Path) => unknown;
  set: (path: Path, value: unknown) => void;
  /** What is to be said at a place, and with `deep` at those within it. */
  faultsAt: (path: Path, deep?: boolean) => readonly ConfigFault[];
  /** A fault found on this side, such as JSON that cannot be read; undefined: none any more. */
  setBroken: (path: Path, fault: string | undefined) => void;
  /** The field was left: what is wrong with it may be said. */
  touch: (path: Path) => void;
  /** The secrets that are set, by pointer, with what tells them apart. */
  secrets: Readonly<Record<string, string>>;
  /** True: the faults are about what is in the form now. */
  isChecked: boolean;
}

export const ConfigContext = createContext<ConfigForm | undefined>(undefined);

export function useConfig(): ConfigForm {
  const form = use(ConfigContext);
  if (!form) throw new Error('A control of a configuration stands outside its form.');
  return form;
}

/** One field: its value, what is wrong with it, and how it is changed. */
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
