import { startPostgres, type TestPostgres } from './postgres.ts'

/** The secret key of all nodes of an installation. */
export const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')

export type OnPostgres<Server extends TestPostgres> = AsyncDisposable & {
  readonly server: Server
  /** Settings for the nodes of a new installation with a new database. */
  readonly installation: () => Promise<{
    readonly RADAR_DATABASE_URL: string
    readonly RADAR_SECRET_KEY: string
  }>
}

export async function onPostgres(): Promise<OnPostgres<TestPostgres>>
export async function onPostgres<Server extends TestPostgres>(
  start: () => Promise<Server>,
): Promise<OnPostgres<Server>>
export async function onPostgres(start: () => Promise<TestPostgres> = startPostgres) {
  const server = await start()
  return {
    server,
    installation: async () => ({
      RADAR_DATABASE_URL: await server.newMigratedDatabase(),
      RADAR_SECRET_KEY: SECRET_KEY,
    }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
