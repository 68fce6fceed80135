import type { Plugin } from 'vite';

/** During development: serves the simulators' pages at the same paths as the server. */
export function simulatorPages(): Plugin {
  return {
    name: 'simulator-pages',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        request.url = request.url
          ?.replace(/^\/devicesim\/?(?=$|\?)/, '/simulators/devicesim.html')
          .replace(/^\/appsim(\/[^/?]+){0,2}\/?(?=$|\?)/, '/simulators/appsim.html');
        next();
      });
    },
  };
}
