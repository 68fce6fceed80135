import type { LinkProps } from '@tanstack/react-router';

/** The link back to the welcome, for developers who closed it too early. */
export const whatItIs = {
  label: 'What is Mooring?',
  link: { to: '/projects', search: { welcome: 'again' } as never } as LinkProps,
};
