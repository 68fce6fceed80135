import type { Slice } from '#server/slice.ts';

export const bundles: Slice = {
  tables: {
    bundles: 'A set of component versions for a device class.',
    bundle_components: 'The version of a component that a bundle contains.',
  },
  idPrefixes: ['bnd'],
};
