import type { IdentityProvider } from '../../../api/console/identity-provider.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Egress } from '../../../runtime/egress/egress.ts'
import type { Config } from '../../config/config.ts'

/** The identity provider of the settings; null without one. */
export function identityProviderOf(
  { oidc }: Pick<Config, 'oidc'>,
  egress: Egress,
  clock: Clock,
  publicUrl: () => string,
): IdentityProvider | null {
  const { issuer, clientId, clientSecret, name } = oidc
  const trustsEmail = oidc.trustEmail === 'true'
  // The settings are complete or absent: the configuration checks it.
  if (issuer === null || clientId === null || clientSecret === null) return null
  const redirectUri = () => `${publicUrl().replace(/\/$/, '')}/api/console/sso/callback`
  let provider: Promise<IdentityProvider> | null = null
  // Its library is loaded on first use.
  const load = () => {
    provider ??= import('./provider.ts').then(({ openIdProvider }) =>
      openIdProvider({ name, issuer, clientId, clientSecret, trustsEmail, egress, clock, redirectUri }),
    )
    return provider
  }
  return {
    name,
    start: async () => (await load()).start(),
    finish: async (answer) => (await load()).finish(answer),
  }
}
