import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { listenAsProvider } from './provider-server.ts'

/** How the provider behaves at the next sign-in. */
export type Behaviour = {
  readonly subject: string
  readonly email: string | null
  readonly emailVerified: boolean | null
  readonly name: string | null
  /** The person cancels the consent. */
  readonly cancels: boolean
  readonly fault:
    | (null | 'iss' | 'token_issuer' | 'audience' | 'nonce' | 'key' | 'expired' | 'metadata_issuer')
    /** The provider publishes thousands of keys. */
    | 'number of keys'
}

export type TestIdentityProvider = AsyncDisposable & {
  readonly url: string
  /** For a service that uses it. */
  readonly settings: Readonly<Record<string, string>>
  readonly next: (behaviour: Partial<Behaviour>) => void
}

const BEN: Behaviour = {
  subject: 'ben-1',
  email: 'Ben@example.com',
  emailVerified: true,
  name: 'Ben',
  cancels: false,
  fault: null,
}
const CLIENT = { id: 'review radar', secret: 'a secret: with/signs+' }

type Grant = { readonly challenge: string; readonly redirectUri: string; readonly nonce: string }

/** An OpenID Connect provider that consents at once, and checks what the standards tell it to check. */
export async function startIdentityProvider(): Promise<TestIdentityProvider> {
  const [key, foreignKey] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const grants = new Map<string, Grant>()
  let behaviour = BEN
  let url = ''

  const authorize = (query: URLSearchParams): string => {
    assert.equal(query.get('response_type'), 'code')
    assert.equal(query.get('client_id'), CLIENT.id)
    assert.equal(query.get('code_challenge_method'), 'S256')
    assert.deepEqual(query.get('scope')?.split(' '), ['openid', 'email', 'profile'])
    const redirectUri = query.get('redirect_uri') ?? ''
    const back = new URL(redirectUri)
    back.searchParams.set('state', query.get('state') ?? '')
    back.searchParams.set('iss', behaviour.fault === 'iss' ? 'https://other.example' : url)
    if (behaviour.cancels) back.searchParams.set('error', 'access_denied')
    else {
      const code = randomBytes(16).toString('hex')
      grants.set(code, {
        challenge: query.get('code_challenge') ?? '',
        redirectUri,
        nonce: query.get('nonce') ?? '',
      })
      back.searchParams.set('code', code)
    }
    return back.href
  }

  const token = async (request: IncomingMessage): Promise<object> => {
    const form = new URLSearchParams(await text(request))
    const [id = '', secret = ''] = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64')
      .toString()
      .split(':')
    const plain = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
    assert.deepEqual([plain(id), plain(secret)], [CLIENT.id, CLIENT.secret])
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    assert.ok(grant !== undefined, 'a code is redeemed once')
    grants.delete(code)
    assert.equal(form.get('redirect_uri'), grant.redirectUri)
    const verifier = form.get('code_verifier') ?? ''
    assert.equal(createHash('sha256').update(verifier).digest('base64url'), grant.challenge)
    const { fault } = behaviour
    const claims = {
      nonce: fault === 'nonce' ? 'another' : grant.nonce,
      email: behaviour.email,
      email_verified: behaviour.emailVerified,
      name: behaviour.name,
    }
    const idToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setSubject(behaviour.subject)
      .setIssuer(fault === 'token_issuer' ? 'https://other.example' : url)
      .setAudience(fault === 'audience' ? 'another client' : CLIENT.id)
      .setIssuedAt()
      .setExpirationTime(fault === 'expired' ? '-10m' : '5m')
      .sign((fault === 'key' ? foreignKey : key).privateKey)
    return { access_token: 'unused', token_type: 'Bearer', expires_in: 300, id_token: idToken }
  }

  const metadata = () => ({
    issuer: behaviour.fault === 'metadata_issuer' ? 'https://other.example' : url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/keys`,
    authorization_response_iss_parameter_supported: true,
  })

  const keys = async () => {
    const own = { ...(await exportJWK(key.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
    return { keys: [own, ...Array(behaviour.fault === 'number of keys' ? 10_000 : 0).fill({})] }
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    try {
      if (pathname === '/authorize') {
        response.writeHead(302, { location: authorize(searchParams) }).end()
        return
      }
      const answer =
        pathname === '/token'
          ? await token(request)
          : pathname === '/keys'
            ? await keys()
            : pathname === '/.well-known/openid-configuration'
              ? metadata()
              : null
      response.writeHead(answer === null ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer))
    } catch (error) {
      response.writeHead(400).end(String(error))
    }
  })
  const listening = await listenAsProvider(server, CLIENT)
  url = listening.url
  return {
    ...listening,
    next: (changes) => {
      behaviour = { ...BEN, ...changes }
    },
  }
}
