import '#console/ui/tokens.css';
import '#console/ui/base.css';
import { createRoot } from 'react-dom/client';
import { watchTheme } from '#console/theme.ts';
import { takeCredentials } from './credentials.ts';
import { Devicesim } from './Devicesim.tsx';

// First of all: nobody should read a key over a shoulder, or find it in the history.
const credentials = takeCredentials();
watchTheme();

const root = document.getElementById('root');
if (!root) throw new Error('devicesim.html has no #root');
createRoot(root).render(<Devicesim given={credentials} />);
