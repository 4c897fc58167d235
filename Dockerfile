# An untested example. How to run it: docs/how-to/run-as-a-service.md.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
# The optional packages have another Node, and onnxruntime has libraries for five platforms.
RUN node scripts/build-console.ts \
  && npm prune --omit=dev --omit=optional --ignore-scripts \
  && find node_modules/onnxruntime-node/bin/*/* -maxdepth 1 -mindepth 1 ! -path "*/linux/$(node -p process.arch)" -exec rm -r {} +

FROM node:24-slim
ENV NODE_ENV=production RADAR_HOST=0.0.0.0 RADAR_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/bin ./bin
COPY --from=build /app/src ./src
COPY --from=build /app/packages/language ./packages/language
COPY --from=build /app/console/dist ./console/dist
COPY --from=build /app/node_modules ./node_modules
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
# A service named radar makes Kubernetes set RADAR_PORT to an address, which the service ignores too.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${Number(process.env.RADAR_PORT) || 8080}/healthz`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
CMD ["bin/radar", "serve"]
