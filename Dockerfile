# Images of Octavo. `--target octavo-bundle` builds an image that only serves a bundle. The default target is the whole product.
# For another platform, add `--platform linux/arm64`. A different base image must contain Node 20.19 or later.
ARG NODE_IMAGE=node:24-bookworm-slim

# Builds dist/ on the platform of the build machine, because it's the same on every platform.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node scripts/build.js

# The packages that dist/ loads, for the image's platform.
FROM ${NODE_IMAGE} AS packages
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM ${NODE_IMAGE} AS octavo-bundle
ARG VERSION=0.2.0
ARG REVISION
LABEL org.opencontainers.image.title="Octavo bundle server" org.opencontainers.image.description="Serves a site from a static export" org.opencontainers.image.licenses="Apache-2.0" org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${REVISION}"
WORKDIR /octavo
COPY --from=build /build/package.json /build/LICENSE /build/NOTICE /build/dist/licenses.txt /build/dist/bundle-server.js ./
ENV NODE_ENV=production HOST=0.0.0.0 HOME=/tmp OCTAVO_DATA=/data
# The container can run with any user ID, as on OpenShift. It only writes to /data and /tmp.
RUN mkdir /data && chmod 770 /data
USER 10001
VOLUME /data
EXPOSE 4000
HEALTHCHECK --start-period=10s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# A small young generation saves 20 MB.
ENTRYPOINT ["node", "--max-semi-space-size=1", "bundle-server.js"]

FROM ${NODE_IMAGE} AS octavo
ARG VERSION=0.2.0
ARG REVISION
LABEL org.opencontainers.image.title="Octavo" org.opencontainers.image.description="Documentation platform: service, workers and command line" org.opencontainers.image.licenses="Apache-2.0" org.opencontainers.image.version="${VERSION}" org.opencontainers.image.revision="${REVISION}"
# Deployments read repositories with git. Deploy keys require an SSH client.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git openssh-client && rm -rf /var/lib/apt/lists/*
WORKDIR /octavo
COPY --from=build /build/package.json /build/LICENSE /build/NOTICE ./
COPY --from=packages /build/node_modules node_modules
COPY --from=build /build/bin bin
COPY --from=build /build/docs docs
COPY --from=build /build/dist dist
ENV NODE_ENV=production HOST=0.0.0.0 HOME=/tmp OCTAVO_DATA=/data
RUN mkdir /data && chmod 770 /data
USER 10001
VOLUME /data
EXPOSE 4000
HEALTHCHECK --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/octavo.js"]
CMD ["serve"]
