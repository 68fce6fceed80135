import './ui/tokens.css';
import './ui/base.css';
import { createRoot } from 'react-dom/client';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(<p>Mooring</p>);
