import type { LinkProps } from '@tanstack/react-router';

/** The way back to the welcome, for whoever put it away too early. */
export const whatItIs = {
  label: 'What is Mooring?',
  link: { to: '/projects', search: { welcome: 'again' } as never } as LinkProps,
};
