# Stand-ins for official images that cannot be pulled; src/stand-ins.ts builds them.
FROM stand-in-base AS node
COPY node /usr/local/bin/
COPY npm /usr/local/lib/node_modules/npm
COPY authorities.pem /usr/local/share/ca-certificates/
ENV NODE_EXTRA_CA_CERTS=/usr/local/share/ca-certificates/authorities.pem
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --uid 1000 --create-home node

FROM stand-in-base AS mongo
COPY mongod /usr/local/bin/

FROM stand-in-base AS nats
COPY nats-server /usr/local/bin/
RUN ln -s /bin/busybox /usr/local/bin/nc

FROM stand-in-base AS caddy
