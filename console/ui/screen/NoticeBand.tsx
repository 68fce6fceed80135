import { banner } from '#console/core/banner.ts';
import { useStore } from '#console/core/store.ts';
import { IconButton } from '#console/ui/Button.tsx';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import css from './Band.module.css';

/** Why the user was sent to this screen instead of the one they wanted; stays until it is dismissed. */
export function NoticeBand() {
  const one = useStore(banner);
  return (
    <div role="status">
      {one && (
        <div className={css.notice}>
          <p>{one.text}</p>
          {one.reason && <code>{one.reason}</code>}
          <IconButton label="Dismiss" onClick={() => banner.set(undefined)}>
            <CloseIcon size={14} />
          </IconButton>
        </div>
      )}
    </div>
  );
}
