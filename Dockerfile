# The versions of the images and how to update them: docs/run/installation.md, "Base images".
FROM node:24.22.3-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY scripts scripts
COPY drizzle drizzle
COPY server server
COPY client client
COPY cli cli
RUN node scripts/build.mjs program client cli \
  && rm build/*.stamp \
  && chmod +x build/program/admin.js

# Only what the bundles import at run time.
FROM node:24.22.3-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/install-scripts.mjs scripts/node-version.mjs scripts/keep-externals.mjs scripts/
COPY scripts/building/externals.mjs scripts/building/
# The server's user could not create the links of the embedded Postgres' libraries here.
RUN npm ci --omit=dev && node scripts/install-scripts.mjs && node scripts/keep-externals.mjs

FROM node:24.22.3-slim AS runtime
# Fewer malloc arenas: freed decoder memory returns to the system instead of staying in each thread.
ENV HOST=0.0.0.0 PORT=3000 METRICS_HOST=0.0.0.0 DATA_DIR=/data MALLOC_ARENA_MAX=2
# Fonts for the text in SVG files. libnss_wrapper gives a user id without a name one for initdb
# (server/database/embedded/user-name.ts).
RUN apt-get update \
  && apt-get install --yes --no-install-recommends fontconfig-config fonts-dejavu-core fonts-droid-fallback libnss-wrapper \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/build build
COPY package.json LICENSE ./
COPY migrations migrations
# `docker compose exec app admin <command>`
RUN ln -s /app/build/program/admin.js /usr/local/bin/admin
RUN install --directory --owner=node --group=node --mode=0700 /data
VOLUME /data
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
# Whether the process answers: a full disk or a database that restarts is no reason to restart it. bash, because a Node takes
# 67 MB for each check.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["bash", "-c", "exec 3<> /dev/tcp/127.0.0.1/$PORT && printf 'GET /api/health/live HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && read -r status <&3 && [[ $status == *' 200 '* ]]"]
# Node itself, since npm does not always forward the stop signal.
CMD ["node", "--max-semi-space-size=2", "build/program/main.js"]

# For kernels without Landlock (docker-compose.decoder-user.yml): decoders run as a separate user. This copy of setpriv may
# become any user, even root, and only the server's group may run it.
FROM runtime AS decoder-user
USER root
RUN apt-get update \
  && apt-get install --yes --no-install-recommends libcap2-bin \
  && groupadd --gid 65533 decoder \
  && useradd --uid 65533 --gid 65533 --no-create-home --shell /usr/sbin/nologin decoder \
  && install -D --owner=root --group=node --mode=0750 /usr/bin/setpriv /usr/local/libexec/decoder-setpriv \
  && setcap cap_setuid,cap_setgid=ep /usr/local/libexec/decoder-setpriv \
  && apt-get purge --yes --auto-remove libcap2-bin \
  && rm -rf /var/lib/apt/lists/*
USER 1000:1000

# The default stage comes last: none of its programs has a capability.
FROM runtime
