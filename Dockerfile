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

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
COPY samples ./samples
RUN printf '#!/bin/sh\nexec node /app/dist/src/cli/main.js "$@"\n' >/usr/local/bin/cartwright \
  && chmod 755 /usr/local/bin/cartwright
USER node
ENV CARTWRIGHT_DATA=/data
VOLUME /data
WORKDIR /data
# Node as process 1 receives the signals itself: `docker stop` lets running jobs finish.
ENTRYPOINT ["node", "/app/dist/src/cli/main.js"]
CMD ["up"]
