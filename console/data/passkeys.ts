import { queryOptions } from '@tanstack/react-query'
import type { PasskeyView } from '../../src/contract/console/people.ts'
import { passkeyTexts } from '../messages/passkeys.ts'
import { request } from './request.ts'

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => request<PasskeyView[] | null>('GET', '/console/passkeys', { signal }),
})

/** Whether this browser has passkeys and reads their options as JSON. */
export function browserHasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

export const passkeys = {
  /** Opens the browser's dialog. Throws `PasskeyCancelled` when the person closes it. */
  async add(name: string): Promise<PasskeyView> {
    const options = await request<PublicKeyCredentialCreationOptionsJSON>('GET', '/console/passkeys/options')
    const response = await answerOf(
      navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
    )
    return request<PasskeyView>('POST', '/console/passkeys', { body: { name, response } })
  },

  /** Signs in. Opens the browser's dialog. */
  async signIn(): Promise<void> {
    const options = await request<PublicKeyCredentialRequestOptionsJSON>('GET', '/console/passkey-sign-in')
    const response = await answerOf(
      navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
    )
    await request('POST', '/console/passkey-sign-in', { body: { response } })
  },

  rename: (id: string, name: string) =>
    request<PasskeyView>('PATCH', `/console/passkeys/${encodeURIComponent(id)}`, { body: { name } }),
  remove: (id: string) => request<void>('DELETE', `/console/passkeys/${encodeURIComponent(id)}`),
} as const

async function answerOf(dialog: Promise<Credential | null>): Promise<unknown> {
  const credential = await dialog.catch((error: unknown) => {
    throw new Error(sentenceOf(error))
  })
  if (!(credential instanceof PublicKeyCredential)) throw new Error(passkeyTexts.noneReturned)
  return credential.toJSON()
}

function sentenceOf(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'InvalidStateError') return passkeyTexts.alreadyHere
  if (name === 'NotAllowedError') return passkeyTexts.dialogClosed
  return passkeyTexts.failed
}
