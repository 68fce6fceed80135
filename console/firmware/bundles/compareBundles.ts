import type { Bundle } from '#contract/bundle.ts';
import { byName } from '#rules/text/byName.ts';

type Contained = Bundle['components'][number];

/** A component that is in one of two bundles, or in both. */
export interface ComparedRow {
  componentId: string;
  componentName: string;
  mine: Contained | undefined;
  /** In the other bundle. */
  theirs: Contained | undefined;
  isSame: boolean;
}

/** The components of two bundles side by side, by name. */
export function compareBundles(mine: Bundle, theirs: Bundle | undefined): ComparedRow[] {
  const all = [...mine.components, ...(theirs?.components ?? [])];
  const byId = new Map(all.toReversed().map(one => [one.componentId, one.componentName]));
  const inBundle = (bundle: Bundle | undefined, id: string) =>
    bundle?.components.find(({ componentId }) => componentId === id);
  return [...byId]
    .map(([componentId, componentName]) => {
      const [a, b] = [inBundle(mine, componentId), inBundle(theirs, componentId)];
      return { componentId, componentName, mine: a, theirs: b, isSame: a?.versionId === b?.versionId };
    })
    .sort((a, b) => byName(a.componentName, b.componentName));
}
