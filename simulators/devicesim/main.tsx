import '#console/ui/tokens.css';
import '#console/ui/base.css';
import { createRoot } from 'react-dom/client';
import { watchTheme } from '#console/core/theme.ts';
import { takeCredentials } from './credentials.ts';
import { Devicesim } from './Devicesim.tsx';

// Before anything else, so that the key does not stay visible in the address bar or in the history.
const credentials = takeCredentials();
watchTheme();

const root = document.getElementById('root');
if (!root) throw new Error('devicesim.html has no #root');
createRoot(root).render(<Devicesim given={credentials} />);
