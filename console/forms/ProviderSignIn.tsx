import { Button, Divider, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { SignInProblem } from '../../src/contract/console/sign-in-problems.ts'
import { signInAtProvider } from '../data/session.ts'
import { providerTexts } from '../messages/sign-in.ts'
import { FormProblem } from '../ui/FormProblem.tsx'

/** Signs in at the identity provider. */
export function ProviderSignIn(props: {
  readonly name: string
  readonly next: string
  readonly problem?: SignInProblem | undefined
  /** The token of the opened invitation. */
  readonly invitation?: string
}) {
  const { name, next, problem, invitation } = props
  const leave = useMutation({ mutationFn: () => signInAtProvider({ next, invitation }) })
  const error = leave.error ?? (problem === undefined ? null : new Error(sentenceOf(problem, name)))
  return (
    <Stack>
      <FormProblem error={error} />
      <Button
        variant="default"
        // Until the page of the provider is there.
        loading={leave.isPending || leave.isSuccess}
        onClick={() => leave.mutate()}
      >
        {providerTexts.signInWith(name)}
      </Button>
      <Divider label={providerTexts.orPassword} />
    </Stack>
  )
}

/** The sentence of a problem at this provider. */
export function sentenceOf(problem: SignInProblem, name: string): string {
  const sentences: Readonly<Record<SignInProblem, string>> = {
    cancelled: providerTexts.cancelled(name),
    expired: providerTexts.expired(name),
    provider_failed: providerTexts.providerFailed(name),
    unverified_email: providerTexts.unverifiedEmail(name),
    wrong_domain: providerTexts.wrongDomain,
    unknown_user: providerTexts.unknownUser(name),
    other_identity: providerTexts.otherIdentity(name),
    identity_taken: providerTexts.identityTaken(name),
  }
  return sentences[problem]
}
