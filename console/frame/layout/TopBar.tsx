import { Link, useParams } from '@tanstack/react-router';
import { whatItIs } from '#console/guide/onboarding/whatItIsLink.ts';
import { IconButton } from '#console/ui/Button.tsx';
import { Menu } from '#console/ui/dialog/Menu.tsx';
import { ChevronLeftIcon, CodeIcon, HelpIcon, MenuIcon, SearchIcon } from '#console/ui/icons/icons.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { modKey } from './overlays/modKey.ts';
import { overlay } from './overlays/overlay.ts';
import { ProjectSwitcher } from './ProjectSwitcher.tsx';
import css from './TopBar.module.css';
import { type Crumb, useCrumbs } from './useCrumbs.ts';
import type { RailMode } from './useRailMode.ts';
import { useTitle } from './useTitle.ts';

export function TopBar({ mode }: { mode: RailMode }) {
  const crumbs = useCrumbs();
  const { projectId } = useParams({ strict: false });
  // The rail is hidden in this mode, so on the first screen of a project the switcher replaces the project's name.
  const switches = mode === 'drawer' && projectId !== undefined && crumbs.length === 1;
  useTitle(crumbs.map(({ label }) => label));
  return (
    <header className={css.bar}>
      {mode === 'drawer' && (
        <IconButton label="Open menu" onClick={() => overlay.set('rail')}>
          <MenuIcon size={18} />
        </IconButton>
      )}
      {switches ? (
        <div className={css.here}>
          <ProjectSwitcher shape="line" />
        </div>
      ) : (
        <Breadcrumbs crumbs={crumbs} />
      )}
      <div className={css.tools}>
        <button type="button" className={css.jump} onClick={() => overlay.set('palette')}>
          <SearchIcon />
          <span className={css.jumpText}>Search or jump to…</span>
          <kbd>{modKey}K</kbd>
        </button>
        <button type="button" className={css.api} onClick={() => overlay.set('inspector')}>
          <CodeIcon />
          <span>API</span>
        </button>
        <Menu
          label="Help"
          trigger={<HelpIcon size={17} />}
          triggerClass={css.help}
          items={[
            whatItIs,
            'line',
            { label: 'Keyboard shortcuts', note: <kbd>?</kbd>, run: () => overlay.set('shortcuts') },
            { label: 'API reference', run: () => void window.open('/docs', '_blank', 'noopener') },
          ]}
        />
        <AccountMenu />
      </div>
    </header>
  );
}

/** A phone shows only the link to the parent. */
function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  const parent = crumbs.at(-2);
  return (
    <nav aria-label="Breadcrumbs" className={css.crumbs}>
      {parent && (
        <Link {...parent.link} className={css.back}>
          <ChevronLeftIcon />
          <span dir="auto">{parent.label}</span>
        </Link>
      )}
      <ol>
        {crumbs.map(({ label, link }, at) => (
          <li key={link.to}>
            {at < crumbs.length - 1 ? (
              <Link {...link} activeOptions={{ exact: true }} dir="auto">
                {label}
              </Link>
            ) : (
              <span aria-current="page" dir="auto">
                {label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
