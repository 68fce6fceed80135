import type { Slice } from '#server/slice.ts';

export const components: Slice = {
  tables: {
    components: 'A part of a device that firmware is made for.',
    component_versions: 'A version of a component, with its file once that is verified.',
    version_uploads: 'An unfinished upload of a version’s file.',
    version_upload_parts: 'A part of it that is stored.',
  },
  idPrefixes: ['cmp', 'ver', 'upl'],
};
