import type { Plugin } from 'vite';

/** While developing: the addresses at which the server shows the simulators' pages. */
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
