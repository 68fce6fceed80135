import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractAsData } from '../../scripts/contractAsData.ts';

const root = import.meta.dirname;

/**
 * Here the SDK is built from its source; in your own project, it is a package that your Mooring installation serves.
 */
export default defineConfig({
  root,
  plugins: [contractAsData(), react()],
  resolve: { alias: { '@mooring/app': join(root, '../../sdk/app.ts') } },
});
