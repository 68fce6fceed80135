import react from '@vitejs/plugin-react';
import { defineConfig, type EnvironmentOptions } from 'vite';
import { chunkGroups, chunkNames } from './scripts/chunks.ts';
import { cliPackage } from './scripts/cliPackage.ts';
import { contractAsData } from './scripts/contractAsData.ts';
import { cutFonts } from './scripts/cutFonts.ts';
import { firstPage } from './scripts/firstPage.ts';
import { precompress } from './scripts/precompress.ts';
import { reasonsShown } from './scripts/reasonsShown.ts';
import { sdkPackage } from './scripts/sdkPackage.ts';
import { simulatorPages } from './scripts/simulatorPages.ts';

const server = process.env.MOORING_URL ?? 'http://127.0.0.1:8080';
const served = ['/api', '/outbox', '/page', '/docs', '/files', '/device/v1', '/app/v1', '/service'];

export default defineConfig({
  plugins: [
    contractAsData(),
    reasonsShown(),
    cutFonts(),
    react(),
    ...firstPage(),
    chunkNames(),
    simulatorPages(),
    sdkPackage(),
    cliPackage(),
    precompress(),
  ],
  publicDir: false,
  // React includes this hook; the router's store depends on the shim for versions that did not.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  build: {
    outDir: 'dist/console',
    emptyOutDir: true,
    // The oldest browsers that support light-dark(), which both themes depend on.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // An image inlined as a data: URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The first view names every other file, so hashes of eight characters would add to its size.
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunkGroups },
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
      },
    },
  },
  // The simulators are built separately from the console and each other, so that no first view loads code of another.
  builder: {},
  environments: {
    // The examples have pages as well, but their dependencies are not installed here.
    client: { optimizeDeps: { entries: ['index.html'] } },
    devicesim: simulator('devicesim'),
    appsim: simulator('appsim'),
  },
  server: {
    host: '127.0.0.1',
    port: Number(process.env.CONSOLE_PORT ?? 5173),
    proxy: {
      ...Object.fromEntries(served.map(path => [path, server])),
      '/api': { target: server, ws: true },
      '/mqtt': { target: server, ws: true },
    },
  },
});

function simulator(name: string): EnvironmentOptions {
  return {
    consumer: 'client',
    build: {
      emptyOutDir: false,
      assetsDir: `assets/${name}`,
      rolldownOptions: { input: `simulators/${name}.html` },
    },
  };
}
