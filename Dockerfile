# One image for every service, the operator's command and the demo: which one runs is the first argument.
#   docker run … action-platform services/grants/src/main.ts
# Node runs TypeScript as it is, so nothing is compiled and there is no build output to keep apart.

FROM node:26-bookworm-slim AS manifests
WORKDIR /source
COPY . .
RUN mkdir /manifests && find . -name 'package*.json' -exec cp --parents '{}' /manifests ';'

# What is installed changes with the manifests alone.
FROM node:26-bookworm-slim AS packages
WORKDIR /platform
COPY --from=manifests /manifests .
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund $(printf -- '--workspace=%s ' services/* deploy/admin deploy/demo) && \
    find . -path '*/node_modules/*' -type f '(' -name '*.map' -o -name '*.d.ts' -o -name '*.d.[cm]ts' ')' -delete

FROM node:26-bookworm-slim
ENV NODE_ENV=production
WORKDIR /platform
COPY --from=packages /platform .
COPY . .
# Volumes that are mounted here belong to the user who writes to them.
RUN install --directory --owner=node --group=node \
    /run/platform /var/lib/action-platform/database /var/lib/action-platform/demo /var/lib/action-platform/demo/files /var/lib/action-platform/files \
    /var/lib/action-platform/mail
USER 1000:1000
# What observes a process is loaded before the process itself; it does nothing unless the environment asks for it.
ENTRYPOINT ["node", "--max-semi-space-size=16", "--import", "@action-platform/telemetry/register"]
