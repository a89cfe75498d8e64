# One image for every service, the operator's command and the demo. The first argument selects one:
#   docker run … action-platform services/grants/src/main.ts
# Node.js runs TypeScript as it is, so the image has no build step.

# These stages run on the machine that builds, for the platform of the image: a build for another one needs no emulator.
FROM --platform=$BUILDPLATFORM node:26-bookworm-slim AS manifests
WORKDIR /source
COPY . .
RUN mkdir /manifests && find . -name 'package*.json' -exec cp --parents '{}' /manifests ';' && \
    find . -type f -exec sha256sum '{}' + > /SHA256SUMS

# This layer changes with the manifests alone.
FROM --platform=$BUILDPLATFORM node:26-bookworm-slim AS packages
ARG TARGETARCH
WORKDIR /platform
COPY --from=manifests /manifests .
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund --os=linux --libc=glibc --cpu="$(echo "$TARGETARCH" | sed s/amd64/x64/)" $(printf -- '--workspace=%s ' services/* deploy/admin deploy/demo) && \
    find . -path '*/node_modules/*' -type f '(' -name '*.map' -o -name '*.d.ts' -o -name '*.d.[cm]ts' ')' -delete
RUN mkdir -p /volumes/platform /volumes/data/database /volumes/data/demo/files /volumes/data/files /volumes/data/mail /volumes/data/proxy /volumes/data/streams

FROM node:26-bookworm-slim
# Without a limit glibc keeps freed memory in an arena for each thread.
ENV NODE_ENV=production MALLOC_ARENA_MAX=1
WORKDIR /platform
COPY --from=packages /platform .
COPY . .
# `deploy/compose` compares its folder with it.
COPY --from=manifests /SHA256SUMS .
# A volume takes its owner from the folder on which it is mounted first.
COPY --from=packages --chown=1000:1000 /volumes/platform /run/platform
COPY --from=packages --chown=1000:1000 /volumes/data /var/lib/action-platform
USER 1000:1000
# Telemetry loads before the process that it instruments, and does nothing without settings in the environment.
ENTRYPOINT ["node", "--max-semi-space-size=16", "--initial-old-space-size=128", "--import", "@action-platform/telemetry/register"]
