import type { SignIn } from '../../api/console/sign-in.ts'
import type { Log } from '../../runtime/log.ts'
import { openAuthDatabase } from '../../storage/auth-database.ts'

export type OpenSignIn = AsyncDisposable & {
  /** Opens the sign-in and creates its tables on first use. Retries after a failure. */
  readonly get: () => Promise<SignIn>
}

/**
 * The sign-in of this database. Its library takes 0.2 s to load, so it is loaded on first use. `urls` is a function because with port 0 the
 * URLs are known only when the server listens.
 */
export function openSignIn(options: {
  readonly databaseUrl: string
  readonly secretKey: Uint8Array
  readonly urls: () => { readonly publicUrl: string; readonly localUrl: string }
  readonly log: Log
}): OpenSignIn {
  const { databaseUrl, secretKey, urls, log } = options
  const opened = new AsyncDisposableStack()
  const open = async (): Promise<SignIn> => {
    const [{ migrateAuth }, { createSignIn }] = await Promise.all([
      import('./better-auth.ts'),
      import('./sign-in.ts'),
    ])
    await using stack = new AsyncDisposableStack()
    const database = stack.use(await openAuthDatabase(databaseUrl, log))
    const auth = { database, secretKey, log, ...urls() }
    await migrateAuth(auth)
    const signIn = createSignIn(auth)
    opened.use(stack.move())
    return signIn
  }
  let signIn: Promise<SignIn> | null = null
  return {
    get() {
      if (signIn === null) {
        const opening = open()
        signIn = opening
        opening.catch(() => {
          signIn = null
        })
      }
      return signIn
    },
    async [Symbol.asyncDispose]() {
      await signIn?.catch(() => {})
      await opened.disposeAsync()
    },
  }
}
