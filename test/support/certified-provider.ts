import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import { listenAsProvider } from './provider-server.ts'

/** What a provider says about the person, and where. */
export type ProviderMode = {
  readonly email?: string | null
  readonly email_verified?: boolean | null
  readonly name?: string | null
  /** Whether the ID token has these claims too, beside userinfo. */
  readonly inIdToken: boolean
}

const CLIENT = { id: 'review-radar', secret: randomBytes(24).toString('base64url') }

/** `oidc-provider`, which is certified, and signs one person in at once. `serve` begins it, with the redirect URI that it accepts. */
export async function startCertifiedProvider({ inIdToken, ...claims }: ProviderMode) {
  let handle: ReturnType<Provider['callback']> | null = null
  let provider: Provider | null = null
  const server = createServer(async (request, response) => {
    if (provider === null || handle === null) return response.writeHead(503).end()
    // The pages of the provider, on which a person would sign in and consent.
    if (request.url?.startsWith('/interaction/')) {
      await provider.interactionFinished(request, response, { login: { accountId: 'ben-1' } })
      return
    }
    await handle(request, response)
  })
  const listening = await listenAsProvider(server, CLIENT)
  const { url } = listening
  return {
    ...listening,
    serve(callback: string) {
      provider = new Provider(url, {
        clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [callback] }],
        conformIdTokenClaims: !inIdToken,
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        features: { devInteractions: { enabled: false } },
        cookies: { keys: [randomBytes(16).toString('hex')] },
        interactions: { url: (_, { uid }) => `/interaction/${uid}` },
        findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...claims }) }),
        async loadExistingGrant({ oidc }) {
          const grant = new oidc.provider.Grant({
            clientId: oidc.client?.clientId ?? '',
            accountId: oidc.session?.accountId ?? '',
          })
          grant.addOIDCScope('openid email profile')
          await grant.save()
          return grant
        },
      })
      handle = provider.callback()
    },
    /** What a browser does at the provider: follows redirects with cookies, until one leads back. */
    async visit(start: string): Promise<string> {
      const jar = new Map<string, string>()
      let next = start
      while (next.startsWith(url)) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
        for (const line of answer.headers.getSetCookie()) {
          const [pair = ''] = line.split(';')
          jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
        }
        const location = answer.headers.get('location')
        if (location === null)
          throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`)
        next = new URL(location, next).href
      }
      return next
    },
  }
}
