import { Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { secondFactorQuery } from '../data/second-factor.ts'
import { signInAtProvider, useSession } from '../data/session.ts'
import { providerTexts } from '../messages/sign-in.ts'
import { FormProblem } from '../ui/FormProblem.tsx'
import { Section } from '../ui/Section.tsx'
import { sentenceOf } from './ProviderSignIn.tsx'

/** Connects the user with the identity provider. Hidden without one. */
export function ProviderCard() {
  const { identityProvider: name } = useSession()
  const { problem } = useSearch({ from: '/signed-in/account/$section' })
  const { data } = useQuery(secondFactorQuery)
  const leave = useMutation({
    mutationFn: () => signInAtProvider({ next: '/account/sign-in', connect: true }),
  })
  if (name === null || data === undefined) return null
  const error = leave.error ?? (problem === undefined ? null : new Error(sentenceOf(problem, name)))
  return (
    <Section title={providerTexts.connectTitle(name)}>
      <Stack>
        <FormProblem error={error} />
        <Text>{data.hasIdentity ? providerTexts.connected(name) : providerTexts.connectAbout(name)}</Text>
        {!data.hasIdentity && (
          <Button
            variant="default"
            loading={leave.isPending || leave.isSuccess}
            onClick={() => leave.mutate()}
            style={{ alignSelf: 'start' }}
          >
            {providerTexts.connect(name)}
          </Button>
        )}
      </Stack>
    </Section>
  )
}
