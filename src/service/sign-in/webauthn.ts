import { isIP } from 'node:net'
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransportFuture,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { PasskeyProtocol } from '../../api/console/passkey-protocol.ts'
import type { Passkey } from '../../operations/accounts/users.ts'

/** WebAuthn, with user verification: a passkey is two factors, the device and its PIN or fingerprint. */
export function webAuthn(urls: {
  readonly publicUrl: () => string
  readonly origins: () => readonly string[]
}): PasskeyProtocol {
  const relyingParty = () => new URL(urls.publicUrl()).hostname
  const expected = () => ({
    expectedOrigin: [...urls.origins()],
    expectedRPID: relyingParty(),
    requireUserVerification: true,
  })
  return {
    // Browsers allow passkeys only for names.
    isAvailable: () => isIP(relyingParty().replace(/^\[|\]$/g, '')) === 0,

    optionsToAdd: (user, existing) =>
      generateRegistrationOptions({
        rpName: 'Review Radar',
        rpID: relyingParty(),
        userID: new TextEncoder().encode(user.id),
        userName: user.email,
        userDisplayName: user.name,
        excludeCredentials: existing.map(credentialOf),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      }),

    async verifyAdded(response, expectedChallenge) {
      try {
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          response: response as RegistrationResponseJSON,
          expectedChallenge,
          ...expected(),
        })
        if (!verified || registrationInfo === undefined) return null
        const { id, publicKey, counter, transports = [] } = registrationInfo.credential
        return {
          credentialId: id,
          publicKey: Buffer.from(publicKey).toString('base64url'),
          counter,
          transports,
        }
      } catch {
        // The library throws for every answer that does not fit.
        return null
      }
    },

    optionsToSignIn: () =>
      generateAuthenticationOptions({ rpID: relyingParty(), userVerification: 'required' }),

    credentialIdOf: (response) => {
      const { id } = response as { readonly id?: unknown }
      return typeof id === 'string' && id.length <= 1_400 ? id : null
    },

    async verifySignIn(response, expectedChallenge, passkey) {
      try {
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response: response as AuthenticationResponseJSON,
          expectedChallenge,
          credential: {
            ...credentialOf(passkey),
            publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
            counter: passkey.counter,
          },
          ...expected(),
        })
        return verified ? authenticationInfo.newCounter : null
      } catch {
        return null
      }
    },
  }
}

function credentialOf({ credentialId, transports }: Passkey) {
  return { id: credentialId, transports: [...transports] as AuthenticatorTransportFuture[] }
}
