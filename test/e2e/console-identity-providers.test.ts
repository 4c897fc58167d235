import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SessionView } from '../../src/contract/console/people.ts'
import { type ProviderMode, startCertifiedProvider } from '../support/certified-provider.ts'
import { consoleClient, signedIn } from '../support/console-client.ts'
import { startTestService } from '../support/service.ts'

const EMAIL = 'ben@example.com'

/**
 * As their providers answer with default settings. `joins`: by the address alone, or with `RADAR_OIDC_TRUST_EMAIL`, or only by the link.
 */
const MODES: Readonly<Record<string, ProviderMode & { readonly joins: 'address' | 'trust' | 'link' }>> = {
  'Keycloak, with everything in the ID token': {
    inIdToken: true,
    email: EMAIL,
    email_verified: true,
    name: 'Ben',
    joins: 'address',
  },
  'Authelia, with an address at userinfo only': {
    inIdToken: false,
    email: EMAIL,
    email_verified: true,
    name: 'Ben',
    joins: 'address',
  },
  'Entra ID, without email_verified': { inIdToken: true, email: EMAIL, name: 'Ben', joins: 'trust' },
  'Authentik, with an unverified address': {
    inIdToken: true,
    email: EMAIL,
    email_verified: false,
    name: 'Ben',
    joins: 'trust',
  },
  'a provider with null for a name': {
    inIdToken: true,
    email: EMAIL,
    email_verified: true,
    name: null,
    joins: 'address',
  },
  'a provider with null for everything': {
    inIdToken: true,
    email: null,
    email_verified: null,
    name: null,
    joins: 'link',
  },
}

describe('identity providers', () => {
  for (const [name, { joins, ...mode }] of Object.entries(MODES)) {
    it(`identity providers such as ${name} sign an invited person in, by ${joins}`, async () => {
      await using provider = await startCertifiedProvider(mode)
      const trust = { RADAR_OIDC_TRUST_EMAIL: String(joins === 'trust') }
      await using running = await startTestService({ ...provider.settings, ...trust })
      provider.serve(`${running.url}/api/console/sso/callback`)
      const ann = await signedIn(running, 'Ann')
      const body = { email: EMAIL, role: 'member' }
      const { url: link } = await ann.fetchJson<{ url: string }>('POST', '/invitations', body)
      const invitation = link.slice(link.lastIndexOf('/') + 1)
      const enter = async (more: object) => {
        const client = consoleClient(running.url)
        const { url } = await client.fetchJson<{ url: string }>('POST', '/sso', more)
        const back = (await provider.visit(url)).slice(`${running.url}/api/console`.length)
        const answer = await client.request('GET', back)
        const { user } = await client.fetchJson<SessionView>('GET', '/session')
        return { to: answer.headers.get('location'), email: user?.email }
      }
      assert.deepEqual(await enter(joins === 'link' ? { invitation } : {}), { to: '/', email: EMAIL })
      assert.deepEqual(await enter({}), { to: '/', email: EMAIL })
    })
  }
})
