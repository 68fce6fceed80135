import '#console/ui/tokens.css';
import '#console/ui/base.css';
import { createRoot } from 'react-dom/client';
import { watchTheme } from '#console/theme.ts';
import { Appsim } from './Appsim.tsx';
import { takeAddress } from './address.ts';

// Before anything else, so that the device's key does not stay visible in the address bar or in the history.
const address = takeAddress();
watchTheme();

const root = document.getElementById('root');
if (!root) throw new Error('appsim.html has no #root');
createRoot(root).render(<Appsim given={address} />);
