import { createHash, randomBytes } from 'node:crypto'
import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose'
import { z } from 'zod'
import type {
  IdentityProvider,
  ProviderAnswer,
  ProviderStart,
} from '../../../api/console/identity-provider.ts'
import type { ProviderPerson } from '../../../operations/accounts/single-sign-on.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Egress } from '../../../runtime/egress/egress.ts'

export type OidcOptions = {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The operator vouches for addresses that the provider does not call verified. */
  readonly trustsEmail: boolean
  readonly egress: Egress
  readonly clock: Clock
  /** The URL to which the provider sends the browser back. */
  readonly redirectUri: () => string
}

const REQUEST_TIMEOUT_MS = 10_000
const BODY_BYTES_MAX = 256 * 1_024
/** A provider changes its endpoints rarely. */
const METADATA_MS = 10 * 60_000
/** Between machines whose clocks differ. */
const CLOCK_TOLERANCE_S = 60
const RANDOM_BYTES = 32

/** Only asymmetric signatures: with HS256 the client secret would be a signing key. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

const Metadata = z.object({
  issuer: z.string(),
  // The browser goes there: no `javascript:` URL.
  authorization_endpoint: z.url({ protocol: /^https?$/ }),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().nullish(),
  token_endpoint_auth_methods_supported: z.array(z.string()).nullish(),
  authorization_response_iss_parameter_supported: z.boolean().nullish(),
})
type Metadata = z.infer<typeof Metadata>

const Tokens = z.object({ id_token: z.string(), access_token: z.string().nullish() })
type Tokens = z.infer<typeof Tokens>
/** Providers publish up to about 20. Each costs about a microsecond at every sign-in. */
const KEYS_MAX = 200
const Keys = z.object({ keys: z.array(z.unknown()).max(KEYS_MAX) })
/** About the person, in the ID token, at userinfo, or in parts. Some providers send `null` for what they do not know. */
const PERSON_CLAIMS = {
  sub: z.string().min(1).max(255),
  email: z.string().nullish(),
  email_verified: z.union([z.boolean(), z.enum(['true', 'false'])]).nullish(),
  name: z.string().nullish(),
}
const PersonClaims = z.object(PERSON_CLAIMS)
type PersonClaims = z.infer<typeof PersonClaims>
const Claims = z.object({ ...PERSON_CLAIMS, azp: z.string().nullish() })

/** The provider gave no answer that can be trusted. The message is for the operator. */
class ProviderError extends Error {}

/** An OpenID Connect provider: authorization code flow with PKCE, state and nonce. */
export function openIdProvider(options: OidcOptions): IdentityProvider {
  const { issuer, clientId, clock } = options
  let cached: { readonly metadata: Metadata; readonly atMs: number } | null = null

  const metadata = async (): Promise<Metadata> => {
    if (cached !== null && clock.monotonicMs() - cached.atMs < METADATA_MS) return cached.metadata
    const found = await requestJson(options, Metadata, `${issuer}/.well-known/openid-configuration`)
    if (found.issuer.replace(/(?<!\/)\/+$/, '') !== issuer) {
      throw new ProviderError(`RADAR_OIDC_ISSUER is ${issuer}, but the provider calls itself ${found.issuer}`)
    }
    cached = { metadata: found, atMs: clock.monotonicMs() }
    return found
  }

  return {
    name: options.name,

    async start(): Promise<ProviderStart | { readonly failure: string }> {
      try {
        const { authorization_endpoint } = await metadata()
        const [state, nonce, verifier] = [random(), random(), random()]
        const url = new URL(authorization_endpoint)
        const query = {
          response_type: 'code',
          client_id: clientId,
          redirect_uri: options.redirectUri(),
          scope: 'openid email profile',
          state,
          nonce,
          code_challenge: createHash('sha256').update(verifier).digest('base64url'),
          code_challenge_method: 'S256',
        }
        for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
        return { url: url.href, state, nonce, verifier }
      } catch (error) {
        return { failure: messageOf(error) }
      }
    },

    async finish({ code, iss, nonce, verifier }): Promise<ProviderAnswer> {
      try {
        const found = await metadata()
        const isIssRequired = found.authorization_response_iss_parameter_supported === true
        if (iss === null ? isIssRequired : iss !== found.issuer) {
          throw new ProviderError(`the answer is of the issuer ${iss ?? 'unknown'}, not of ${found.issuer}`)
        }
        const tokens = await redeem(options, found, code, verifier)
        const keys = (await requestJson(options, Keys, found.jwks_uri)) as JSONWebKeySet
        const { payload } = await jwtVerify(tokens.id_token, createLocalJWKSet(keys), {
          issuer: found.issuer,
          audience: clientId,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_TOLERANCE_S,
          currentDate: clock.now(),
          requiredClaims: ['sub', 'exp', 'iat'],
        })
        if (payload.nonce !== nonce) throw new ProviderError('the ID token has another nonce')
        const claims = Claims.parse(payload)
        if (claims.azp != null && claims.azp !== clientId) {
          throw new ProviderError(`the ID token was issued to ${claims.azp}`)
        }
        return { person: personOf(await completed(options, found, tokens, claims), found.issuer, options) }
      } catch (error) {
        return { failure: messageOf(error) }
      }
    },
  }
}

function personOf(claims: PersonClaims, issuer: string, { trustsEmail }: OidcOptions): ProviderPerson {
  return {
    identity: { issuer, subject: claims.sub },
    email: claims.email ?? null,
    isEmailVerified: trustsEmail || claims.email_verified === true || claims.email_verified === 'true',
    name: claims.name ?? null,
  }
}

/**
 * With the address from userinfo, if the ID token has none or does not say whether it is verified. Both come from the same place. A name
 * that is missing is no reason to ask.
 */
async function completed(
  options: OidcOptions,
  { userinfo_endpoint: url }: Metadata,
  { access_token: token }: Tokens,
  claims: PersonClaims,
): Promise<PersonClaims> {
  const lacksEmail = claims.email == null || (claims.email_verified == null && !options.trustsEmail)
  if (!lacksEmail || url == null || token == null) return claims
  const more = await requestJson(options, PersonClaims, url, {
    headers: { authorization: `Bearer ${token}` },
  })
  // OpenID Connect Core, 5.3.2: otherwise they are the claims of somebody else.
  if (more.sub !== claims.sub) throw new ProviderError(`${url} answered about another person`)
  const { email, email_verified } = more.email == null ? claims : more
  return { sub: claims.sub, email, email_verified, name: claims.name ?? more.name }
}

/** Exchanges the code. The client authenticates by HTTP Basic unless the provider supports only the form. */
async function redeem(options: OidcOptions, metadata: Metadata, code: string, verifier: string) {
  const { clientId, clientSecret } = options
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const usesForm = !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: options.redirectUri(),
    code_verifier: verifier,
    ...(usesForm && { client_id: clientId, client_secret: clientSecret }),
  })
  const basic = Buffer.from(`${formOf(clientId)}:${formOf(clientSecret)}`).toString('base64')
  return requestJson(options, Tokens, metadata.token_endpoint, {
    body: form.toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(!usesForm && { authorization: `Basic ${basic}` }),
    },
  })
}

/** RFC 6749, 2.3.1: id and secret are form-encoded before HTTP Basic. */
function formOf(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

async function requestJson<S extends z.ZodType>(
  { egress, issuer }: OidcOptions,
  schema: S,
  url: string,
  more: { readonly body?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<z.infer<S>> {
  if (issuer.startsWith('https:') && !url.startsWith('https:')) {
    throw new ProviderError(`the provider names ${url}, which is not an https URL`)
  }
  const answer = await egress.request({
    method: more.body === undefined ? 'GET' : 'POST',
    url,
    headers: { accept: 'application/json', ...more.headers },
    ...(more.body === undefined ? {} : { body: more.body }),
    timeoutMs: REQUEST_TIMEOUT_MS,
    bodyBytesMax: BODY_BYTES_MAX,
  })
  if (answer.kind === 'failed') throw new ProviderError(`${url}: ${answer.detail}`)
  if (answer.status !== 200) throw new ProviderError(`${url} answered HTTP ${answer.status}`)
  const parsed = schema.safeParse(jsonOf(answer.body))
  if (!parsed.success) throw new ProviderError(`${url} returned an unknown format`)
  return parsed.data
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}

function messageOf(error: unknown): string {
  if (error instanceof ProviderError) return error.message
  if (error instanceof errors.JOSEError) return `the ID token is not valid: ${error.message}`
  if (error instanceof z.ZodError) return 'the ID token lacks claims'
  throw error
}

function random(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url')
}
