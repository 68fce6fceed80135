import { useNavigate } from '@tanstack/react-router';
import { useSignOut } from '#console/accounts/useSignOut.ts';
import { useActions } from '#console/core/actions.ts';
import { chooseTheme } from '#console/core/theme.ts';
import { whatItIs } from '#console/guide/onboarding/whatItIsLink.ts';
import { useSettingsPlaces } from '#console/projects/settings/useSettingsPlaces.ts';
import { overlay } from './overlays/overlay.ts';
import { useNav } from './useNav.ts';

/** The actions available everywhere: open places, look things up, switch the theme. */
export function useFrameActions(): void {
  const navigate = useNavigate();
  const places = useNav();
  const settings = useSettingsPlaces();
  const signOut = useSignOut();
  useActions([
    ...places.map(({ label, keys, link }) => ({
      label: `Go to ${label}`,
      keys,
      group: 'go' as const,
      run: () => void navigate(link as never),
    })),
    ...settings.map(({ name, also, link }) => ({
      label: `Go to ${name}`,
      also,
      group: 'go' as const,
      run: () => void navigate(link as never),
    })),
    { label: 'Go to Projects', keys: 'g p', group: 'go', run: () => void navigate({ to: '/projects' }) },
    { label: 'Go to Account', keys: 'g c', group: 'go', run: () => void navigate({ to: '/account' }) },
    // The list of projects has its own action for this, with a key.
    ...(places.length > 0
      ? [
          {
            label: 'Create project',
            group: 'frame' as const,
            run: () => void navigate({ to: '/projects', hash: 'new' }),
          },
        ]
      : []),
    { label: whatItIs.label, group: 'frame', run: () => void navigate(whatItIs.link as never) },
    { label: 'Open the API inspector', keys: 'i', group: 'frame', run: () => overlay.set('inspector') },
    { label: 'Keyboard shortcuts', keys: '?', group: 'frame', run: () => overlay.set('shortcuts') },
    { label: 'System theme', group: 'frame', run: () => chooseTheme('system') },
    { label: 'Light theme', group: 'frame', run: () => chooseTheme('light') },
    { label: 'Dark theme', group: 'frame', run: () => chooseTheme('dark') },
    { label: 'Sign out', group: 'frame', run: signOut.run },
  ]);
}
