import { Link } from '@tanstack/react-router';
import { useActions } from '#console/core/actions.ts';
import type { UrlState } from '#console/core/urlState.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { failureText } from '#console/ui/state/failureText.ts';
import type { DeviceClass } from '#contract/deviceClass.ts';
import css from './revisions.module.css';
import { SavedBy } from './SavedBy.tsx';
import { addressOf, useCompared, useRevisions } from './useRevisions.ts';

/** Which revision of the class this is, who saved it, and a link to compare it with the previous one. */
export function RevisionLine({ deviceClass }: { deviceClass: DeviceClass }) {
  const { revision } = deviceClass;
  const { data, error, isPending, isFetching, refetch } = useRevisions(deviceClass);
  const failed = data ? null : error;
  const [, compare] = useCompared();
  const current = data?.find(one => one.revision === revision);
  const previous = data?.find(one => one.revision < revision);
  const compared = previous && { before: previous.revision, after: revision };
  useActions(compared ? [{ label: 'Compare revisions', run: () => compare(compared) }] : []);
  return (
    <>
      {/* Space is reserved for the line, and it appears all at once. */}
      <p className={css.line} data-waiting={isPending || undefined}>
        revision {revision}
        {current?.savedAt && ', '}
        {current && <SavedBy revision={current} />}
        {failed && (
          <span role="alert" title={failureText(failed)}>
            {' '}
            · The revisions could not be loaded <code>{failed.reason}</code>
          </span>
        )}
      </p>
      {failed && (
        <Button variant="quiet" busy={isFetching} onClick={() => void refetch()}>
          Retry
        </Button>
      )}
      {compared && (
        <Link
          to="."
          search={((search: UrlState) => ({ ...search, compare: addressOf(compared) })) as never}
          resetScroll={false}
          className={buttonClass('quiet')}
        >
          Compare revisions
        </Link>
      )}
    </>
  );
}
