import { BundleLink } from './BundleLink.tsx';
import css from './firmware.module.css';

interface UsedByBundlesProps {
  projectId: string;
  bundles: readonly { id: string; name: string }[] | undefined;
}

const namedMax = 5;

/** Names the bundles that prevent a deletion, as links. */
export function UsedByBundles({ projectId, bundles = [] }: UsedByBundlesProps) {
  if (bundles.length === 0) return null;
  return (
    <div className={css.usedBy}>
      <p>{bundles.length === 1 ? 'This bundle contains it:' : 'These bundles contain it:'}</p>
      <ul>
        {bundles.slice(0, namedMax).map(bundle => (
          <li key={bundle.id}>
            <BundleLink {...{ projectId, bundle }} className={css.inText} />
          </li>
        ))}
      </ul>
      {bundles.length > namedMax && <p>and {bundles.length - namedMax} more</p>}
    </div>
  );
}
