import { Button, Divider, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { SignInProblem } from '../../src/contract/console/sign-in-problems.ts'
import { signInAtProvider } from '../data/session.ts'
import { FormProblem } from '../ui/FormProblem.tsx'

/** Signs in at the identity provider. */
export function ProviderSignIn(props: {
  readonly name: string
  readonly next: string
  readonly problem: SignInProblem | undefined
}) {
  const { name, next, problem } = props
  const leave = useMutation({ mutationFn: () => signInAtProvider(next) })
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
        Sign in with {name}
      </Button>
      <Divider label="or with a password" />
    </Stack>
  )
}

function sentenceOf(problem: SignInProblem, name: string): string {
  const sentences: Readonly<Record<SignInProblem, string>> = {
    cancelled: `You cancelled the sign-in with ${name}.`,
    expired: `The sign-in with ${name} took too long, or began in another browser. Try again.`,
    provider_failed: `The answer of ${name} could not be trusted. Try again; if it repeats, ask the operator, whose log has the reason.`,
    unverified_email: `Your e-mail address is not verified at ${name}. Verify it there, and try again.`,
    wrong_domain: 'E-mail addresses of your domain cannot sign in here. Use the address of your company.',
    unknown_user: 'There is no user or open invitation with your e-mail address. Ask an owner to invite you.',
    other_identity: `Your e-mail address belongs to another user of ${name}. Ask the operator.`,
    password_user: 'A user with your e-mail address signs in with a password. Sign in with it.',
  }
  return sentences[problem]
}
