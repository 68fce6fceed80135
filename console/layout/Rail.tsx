import { Link } from '@tanstack/react-router';
import { IconButton } from '#console/ui/Button.tsx';
import { ProjectsIcon, RailIcon, UserIcon } from '#console/ui/icons.tsx';
import { Mark } from './Mark.tsx';
import { ProjectSwitcher } from './ProjectSwitcher.tsx';
import css from './Rail.module.css';
import { useNav } from './useNav.ts';
import { foldRail, type RailMode } from './useRailMode.ts';

/** The left rail: whose project, and its places. */
export function Rail({ mode }: { mode: RailMode }) {
  const places = useNav();
  return (
    <div className={css.rail} data-mode={mode}>
      <div className={css.top}>
        <Link to="/projects" className={css.brand} aria-label="Mooring, all projects">
          <Mark size={20} />
          <span className={css.word}>Mooring</span>
        </Link>
      </div>
      <ProjectSwitcher folded={mode === 'icons'} />
      <nav aria-label={places.length > 0 ? 'Project' : 'Console'}>
        <ul className={css.list}>
          {places.length === 0 && <OutsideProject />}
          {places.map(({ label, icon: Icon, link, current, apart }, at) => (
            <li key={label} data-apart={(apart && !places[at - 1]?.apart) || undefined}>
              <Link
                {...link}
                className={css.item}
                title={mode === 'icons' ? label : undefined}
                aria-current={current ? 'page' : undefined}
              >
                <Icon size={17} />
                <span className={css.word}>{label}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {mode !== 'drawer' && <Fold folded={mode === 'icons'} />}
    </div>
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

function Fold({ folded }: { folded: boolean }) {
  return (
    <div className={css.fold}>
      <IconButton label={folded ? 'Unfold the rail' : 'Fold the rail'} onClick={() => foldRail(!folded)}>
        <RailIcon size={17} />
      </IconButton>
    </div>
  );
}
