# One image for every service, the operator's command and the demo. The first argument selects one:
#   docker run … action-platform services/grants/src/main.ts
# Node.js runs TypeScript as it is, so the image has no build step.

FROM node:26-bookworm-slim AS manifests
WORKDIR /source
COPY . .
RUN mkdir /manifests && find . -name 'package*.json' -exec cp --parents '{}' /manifests ';'

# This layer changes with the manifests alone.
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
# A volume takes its owner from the folder on which it is mounted first.
RUN install --directory --owner=node --group=node \
    /run/platform /var/lib/action-platform/database /var/lib/action-platform/demo /var/lib/action-platform/demo/files /var/lib/action-platform/files \
    /var/lib/action-platform/mail /var/lib/action-platform/proxy
USER 1000:1000
# Telemetry loads before the process that it instruments. Without settings in the environment it does nothing.
ENTRYPOINT ["node", "--max-semi-space-size=16", "--import", "@action-platform/telemetry/register"]
