import type { Slice } from '#server/api/slice.ts';
import { smartModuleResource } from './store.ts';

export const smartModules: Slice = {
  tables: { smart_modules: 'A smart module: its type, configuration and subscribed events.' },
  platformTables: { module_changes: 'How often the smart modules of a part of the projects were changed.' },
  resources: { smartModule: smartModuleResource },
  constraints: {
    smart_modules_pkey: ['ID_TAKEN', 'id'],
    smart_modules_label: ['LABEL_TAKEN', 'bulkDataLabel'],
  },
};
