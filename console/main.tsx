import './ui/tokens.css';
import './ui/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { queryClient } from './core/client.ts';
import { watchPageVisibility } from './core/live/pageVisibility.ts';
import { readCurrentOrganization } from './core/organization.ts';
import { session, watchSession } from './core/session.ts';
import { watchTheme } from './core/theme.ts';
import { openAhead } from './frame/routes/openAhead.ts';
import { router } from './frame/routes/routes.tsx';
import { watchRouter } from './frame/routes/watchRouter.ts';

// Requested before anything is drawn; components that need it wait for it, and show any error.
readCurrentOrganization().catch(() => undefined);
watchTheme();
watchSession();
watchPageVisibility();
watchRouter();
if (session.get()) openAhead(router);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
);
