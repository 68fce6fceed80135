import { useId } from 'react';
import { useUrlState } from '#console/core/urlState.ts';
import arrow from '#console/ui/Arrow.module.css';
import { ChevronRightIcon } from '#console/ui/icons/icons.tsx';
import { LastsSince, TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { Bundle, BundleName } from '#contract/bundle.ts';
import type { Channel } from '#contract/channel.ts';
import css from './change.module.css';

interface NowAndThenProps {
  channel: Channel;
  now: Bundle | undefined;
  chosen: Bundle;
  choices: readonly BundleName[];
}

/** The bundle that the channel points at, and a choice of the next one. */
export function NowAndThen({ channel, now, chosen, choices }: NowAndThenProps) {
  const [, changeUrl] = useUrlState();
  const id = useId();
  return (
    <div className={css.turn}>
      <section className={css.card} aria-label="Now">
        <p className={css.small}>Now</p>
        <p className={css.bundle} dir="auto">
          {channel.bundleName ?? 'No bundle'}
        </p>
        <p className={css.quiet}>
          {now && `${contentOf(now)} · `}
          {channel.bundleSince ? (
            <>
              for <LastsSince time={channel.bundleSince} />
            </>
          ) : (
            'its devices have no target'
          )}
        </p>
      </section>
      <ChevronRightIcon />
      <section className={css.card} data-chosen aria-label="Then">
        <label htmlFor={id} className={css.small}>
          Then
        </label>
        <select
          id={id}
          className={`${css.select} ${arrow.arrow}`}
          value={chosen.id}
          onChange={({ target }) => changeUrl({ to: target.value }, { replace: true })}
        >
          {choices.map(one => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
        <p className={css.quiet}>
          {contentOf(chosen)} · created <TimeAgo time={chosen.createdAt} />
          {chosen.createdBy && <span dir="auto"> by {chosen.createdBy.name}</span>}
        </p>
      </section>
    </div>
  );
}

function contentOf({ components }: Bundle): string {
  return components.map(({ componentName, versionName }) => `${componentName} ${versionName}`).join(', ');
}
