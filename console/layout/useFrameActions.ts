import { useNavigate } from '@tanstack/react-router';
import { useActions } from '#console/actions.ts';
import { chooseTheme } from '#console/theme.ts';
import { overlay } from './overlay.ts';
import { useNav } from './useNav.ts';

/** What can be done from anywhere: go places, look things up, switch the theme. */
export function useFrameActions(): void {
  const navigate = useNavigate();
  const places = useNav();
  useActions([
    ...places.map(({ label, keys, link }) => ({
      label: `Go to ${label}`,
      keys,
      group: 'go' as const,
      run: () => void navigate(link as never),
    })),
    { label: 'Go to Projects', keys: 'g p', group: 'go', run: () => void navigate({ to: '/projects' }) },
    { label: 'Go to Account', keys: 'g c', group: 'go', run: () => void navigate({ to: '/account' }) },
    { label: 'Open the API inspector', keys: 'i', group: 'frame', run: () => overlay.set('inspector') },
    { label: 'Keyboard shortcuts', keys: '?', group: 'frame', run: () => overlay.set('shortcuts') },
    { label: 'Theme of the system', group: 'frame', run: () => chooseTheme('system') },
    { label: 'Light theme', group: 'frame', run: () => chooseTheme('light') },
    { label: 'Dark theme', group: 'frame', run: () => chooseTheme('dark') },
  ]);
}
