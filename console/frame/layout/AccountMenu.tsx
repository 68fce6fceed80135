import { Link } from '@tanstack/react-router';
import { useSignOut } from '#console/accounts/useSignOut.ts';
import { initialsOf } from '#console/core/membership/initials.ts';
import { session } from '#console/core/session.ts';
import { useStore } from '#console/core/store.ts';
import { chooseTheme, theme, themes } from '#console/core/theme.ts';
import { Menu } from '#console/ui/dialog/Menu.tsx';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import { overlay } from './overlays/overlay.ts';
import css from './TopBar.module.css';

const themeWords = { system: 'System theme', light: 'Light theme', dark: 'Dark theme' } as const;

export function AccountMenu() {
  const developer = useStore(session)?.developer;
  const chosen = useStore(theme);
  const signOut = useSignOut();
  if (!developer) return <Link to="/login">Sign in</Link>;
  return (
    <Menu
      label={`Account of ${developer.name}`}
      trigger={<span aria-hidden="true">{initialsOf(developer.name)}</span>}
      triggerClass={css.avatar}
      head={
        <div className={css.who}>
          <b>{developer.name}</b>
          <span>{developer.email}</span>
        </div>
      }
      items={[
        { label: 'Account', link: { to: '/account' } },
        { label: 'Keyboard shortcuts', note: <kbd>?</kbd>, run: () => overlay.set('shortcuts') },
        'line',
        ...themes.map(one => ({
          label: themeWords[one],
          note: one === chosen && <CheckIcon size={14} />,
          run: () => chooseTheme(one),
        })),
        'line',
        { label: 'Sign out', run: signOut.run },
      ]}
    />
  );
}
