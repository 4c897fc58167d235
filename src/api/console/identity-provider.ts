import type { ProviderPerson } from '../../operations/accounts/single-sign-on.ts'

/** A started sign-in: where the browser goes, and what must come back with it. */
export type ProviderStart = {
  readonly url: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** `failure` is for the operator: the provider did not answer as it must. */
export type ProviderAnswer = { readonly person: ProviderPerson } | { readonly failure: string }

/** The provider at which members of companies sign in. */
export type IdentityProvider = {
  /** On the button "Sign in with NAME". */
  readonly name: string
  readonly start: () => Promise<ProviderStart | { readonly failure: string }>
  readonly finish: (answer: {
    readonly code: string
    /** The parameter of RFC 9207. */
    readonly iss: string | null
    readonly nonce: string
    readonly verifier: string
  }) => Promise<ProviderAnswer>
}
