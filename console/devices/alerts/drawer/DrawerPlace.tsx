import { useUrlState } from '#console/core/urlState.ts';
import { IconButton } from '#console/ui/Button.tsx';
import { SortDownIcon, SortUpIcon } from '#console/ui/icons/icons.tsx';
import { numberText } from '#rules/text/numberText.ts';
import css from './drawer.module.css';
import { useNeighbors } from './listedAlerts.ts';

/** "1 of 12", and the way to the alerts before and after it. */
export function DrawerPlace({ alertId }: { alertId: string }) {
  const [, changeUrl] = useUrlState();
  const here = useNeighbors(alertId);
  if (!here || (here.previous === undefined && here.next === undefined)) return null;
  const { place, of, previous, next } = here;
  const go = (alert: string | undefined) => changeUrl({ alert }, { replace: true });
  return (
    <span className={css.place}>
      {place === undefined ? 'No longer in the list' : `${numberText(place)} of ${numberText(of)}`}
      <IconButton label="Previous alert" disabled={previous === undefined} onClick={() => go(previous)}>
        <SortUpIcon size={14} />
      </IconButton>
      <IconButton label="Next alert" disabled={next === undefined} onClick={() => go(next)}>
        <SortDownIcon size={14} />
      </IconButton>
    </span>
  );
}
