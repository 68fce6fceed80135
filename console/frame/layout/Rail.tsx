import { Link, useParams } from '@tanstack/react-router';
import { useRead } from '#console/core/api.ts';
import { liveState } from '#console/core/live/live.ts';
import { useStore } from '#console/core/store.ts';
import { IconButton } from '#console/ui/Button.tsx';
import { ProjectsIcon, RailIcon, UserIcon } from '#console/ui/icons/icons.tsx';
import { Mark } from '#console/ui/screen/Mark.tsx';
import { alertCountMax, readAlertCounts } from '#contract/alert.ts';
import { type ProjectStats, readStats } from '#contract/stats.ts';
import { numberText } from '#rules/text/numberText.ts';
import { ProjectSwitcher } from './ProjectSwitcher.tsx';
import css from './Rail.module.css';
import { useNav } from './useNav.ts';
import { foldRail, type RailMode } from './useRailMode.ts';

/** The left rail: the current project, and its places. */
export function Rail({ mode }: { mode: RailMode }) {
  const places = useNav();
  return (
    <nav className={css.rail} data-mode={mode} aria-label="Main">
      <div className={css.top}>
        <Link to="/projects" className={css.brand} aria-label="Mooring, all projects">
          <Mark size={20} />
          <span className={css.word}>Mooring</span>
        </Link>
      </div>
      <ProjectSwitcher shape={mode === 'icons' ? 'icon' : 'full'} />
      <ul className={css.list}>
        {places.length === 0 && <OutsideProject />}
        {places.map(({ label, icon: Icon, link, current, apart }, at) => (
          <li key={label} data-apart={(apart && !places[at - 1]?.apart) || undefined}>
            <Link
              {...link}
              className={css.item}
              // Every place has the overview's address as a prefix; which place is current is decided here.
              activeOptions={{ exact: true }}
              title={mode === 'icons' ? label : undefined}
              aria-current={current ? 'page' : undefined}
            >
              <Icon size={17} />
              <span className={css.word}>{label}</span>
              {label === 'Devices' && <Count of={deviceCount} />}
              {label === 'Alerts' && <OpenAlerts />}
              {label === 'Users' && <Count of={({ users }) => users} />}
            </Link>
          </li>
        ))}
      </ul>
      <div className={css.foot}>
        <LiveDot />
        {mode !== 'drawer' && <Fold folded={mode === 'icons'} />}
      </div>
    </nav>
  );
}

function OutsideProject() {
  return (
    <>
      <li>
        <Link to="/projects" className={css.item} title="Projects">
          <ProjectsIcon size={17} />
          <span className={css.word}>Projects</span>
        </Link>
      </li>
      <li>
        <Link to="/account" className={css.item} title="Account">
          <UserIcon size={17} />
          <span className={css.word}>Account</span>
        </Link>
      </li>
    </>
  );
}

/** The number of items, for sighted users; the overview tells everyone. */
function Count({ of }: { of: (stats: ProjectStats) => number }) {
  const { projectId = '' } = useParams({ strict: false }) as { projectId?: string };
  const { data } = useRead(readStats, { params: { projectId } });
  const count = data ? of(data) : 0;
  if (count === 0) return null;
  return (
    <span className={css.count} aria-hidden="true">
      {numberText(count)}
    </span>
  );
}

/** How many alerts have not been acknowledged. */
function OpenAlerts() {
  const { projectId = '' } = useParams({ strict: false }) as { projectId?: string };
  const { data } = useRead(readAlertCounts, { params: { projectId } });
  if (!data || data.open === 0) return null;
  return (
    <span className={css.count} data-tone="danger" aria-hidden="true">
      {numberText(data.open)}
      {data.open >= alertCountMax && '+'}
    </span>
  );
}

function deviceCount({ devices }: ProjectStats): number {
  return devices.reduce((sum, { claimed, unclaimed }) => sum + claimed + unclaimed, 0);
}

/** Grey while the live link is down: what is on screen may be out of date. */
function LiveDot() {
  const state = useStore(liveState);
  if (state === 'off') return null;
  const says = state === 'live' ? 'Live' : 'Connecting to live updates';
  return (
    <span className={css.live} data-state={state} title={says} role="status">
      <span className={css.dot} />
      <span className={css.word}>{state === 'live' ? 'Live' : 'Not live'}</span>
    </span>
  );
}

function Fold({ folded }: { folded: boolean }) {
  return (
    <IconButton label={folded ? 'Expand sidebar' : 'Collapse sidebar'} onClick={() => foldRail(!folded)}>
      <RailIcon size={17} />
    </IconButton>
  );
}
