# Builds Octavo in the first stage. The final image contains only the files that are needed at run time.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node scripts/build.js && npm prune --omit=dev --no-audit --no-fund
# dist/ already contains the parts of these packages that readers' browsers load.
RUN rm -rf node_modules/mermaid node_modules/@mermaid-js node_modules/cytoscape* node_modules/elkjs && find node_modules -name '*.map' -delete

FROM node:24-bookworm-slim
# Deployments read repositories with git. Deploy keys require an SSH client.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git openssh-client && rm -rf /var/lib/apt/lists/*
WORKDIR /octavo
COPY --from=build /build/package.json /build/LICENSE /build/NOTICE ./
COPY --from=build /build/bin bin
COPY --from=build /build/dist dist
COPY --from=build /build/docs docs
COPY --from=build /build/node_modules node_modules
ENV NODE_ENV=production HOST=0.0.0.0 HOME=/tmp OCTAVO_DATA=/data
# The container can run with any user ID, as on OpenShift. It only writes to /data and /tmp.
RUN mkdir /data && chmod 770 /data
USER 10001
VOLUME /data
EXPOSE 4000
ENTRYPOINT ["node", "bin/octavo.js"]
CMD ["serve"]
