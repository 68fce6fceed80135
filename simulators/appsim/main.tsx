import '#console/ui/tokens.css';
import '#console/ui/base.css';
import { createRoot } from 'react-dom/client';
import { watchTheme } from '#console/core/theme.ts';
import { Appsim } from './Appsim.tsx';
import { takeAddress } from './address.ts';
import { beOwnTab } from './ownTab.ts';

// Before anything else, so that the device's key does not stay visible in the address bar or in the history.
const address = takeAddress();
watchTheme();

const root = document.getElementById('root');
if (!root) throw new Error('appsim.html has no #root');
// Before the app reads its session.
await beOwnTab();
createRoot(root).render(<Appsim given={address} />);
