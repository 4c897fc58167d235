import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts the server of an identity provider. For a browser `localhost` is another site than the service at 127.0.0.1. */
export async function listenAsProvider(
  server: Server,
  client: { readonly id: string; readonly secret: string },
) {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    url,
    settings: {
      RADAR_OIDC_ISSUER: url,
      RADAR_OIDC_CLIENT_ID: client.id,
      RADAR_OIDC_CLIENT_SECRET: client.secret,
      RADAR_OIDC_NAME: 'Acme ID',
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
