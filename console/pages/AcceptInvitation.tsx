import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { SignedOutFrame } from '../components/SignedOutFrame.tsx'
import { request } from '../data/request.ts'
import { invitationQuery, joinAccount, leave, sessionQuery, signedIn } from '../data/session.ts'
import { ProviderSignIn } from '../forms/ProviderSignIn.tsx'
import { problemBeside, problemsOf } from '../forms/problems.ts'
import { emailProblem, nameProblem, newPasswordProblem } from '../forms/rules.ts'
import { commonTexts, fieldTexts } from '../messages/common.ts'
import { acceptTexts } from '../messages/sign-in.ts'
import { FormProblem } from '../ui/FormProblem.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'

const FIELDS = ['name', 'email', 'password']

export function AcceptInvitation() {
  const { token } = useParams({ from: '/signed-out/accept/$token' })
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: session } = useQuery(sessionQuery)
  const shown = useQuery(invitationQuery(token))
  const { account, inviter } = shown.data ?? { account: null, inviter: null }
  const title = account === null ? acceptTexts.title : acceptTexts.titleOf(account)
  const by = account === null ? null : acceptTexts.by(inviter, account)
  const form = useForm({
    initialValues: { name: '', email: '', password: '' },
    validate: {
      name: nameProblem,
      email: (value) => (value === '' ? null : emailProblem(value)),
      password: newPasswordProblem,
    },
  })
  const accept = useMutation({
    mutationFn: async ({ email, ...values }: typeof form.values) => {
      const body = { token, ...values, ...(email === '' ? {} : { email }) }
      await request('POST', '/console/invitations/accept', { body })
      await signedIn(queryClient)
    },
    onError: (error) => form.setErrors(problemsOf(error)),
    onSuccess: () => navigate({ to: '/' }),
  })
  const join = useMutation({ mutationFn: () => joinAccount(token) })
  const leaving = useMutation({
    mutationFn: () => leave(queryClient),
  })
  if (session?.user) {
    const { name, email } = session.user
    return (
      <SignedOutFrame title={title} about={acceptTexts.withBy(by, acceptTexts.joinAbout(email))}>
        <FormProblem error={join.error ?? leaving.error} />
        <Button loading={join.isPending} onClick={() => join.mutate()}>
          {acceptTexts.join(name)}
        </Button>
        <Button variant="subtle" color="gray" loading={leaving.isPending} onClick={() => leaving.mutate()}>
          {acceptTexts.otherUser}
        </Button>
      </SignedOutFrame>
    )
  }
  return (
    <SignedOutFrame title={title} about={acceptTexts.withBy(by, acceptTexts.about)}>
      {/* The answer to the form says the same of an invitation that is over. */}
      {accept.error === null && <FormProblem error={shown.error} />}
      {session != null && session.identityProvider !== null && (
        <ProviderSignIn name={session.identityProvider} next="/" invitation={token} />
      )}
      <form onSubmit={form.onSubmit((values) => accept.mutate(values))} noValidate>
        <Stack>
          <FormProblem error={problemBeside(accept.error, FIELDS)} />
          <TextInput
            label={acceptTexts.yourName}
            autoComplete="name"
            autoFocus
            {...form.getInputProps('name')}
          />
          <TextInput
            label={commonTexts.email}
            description={acceptTexts.emailNote}
            type="email"
            autoComplete="username"
            {...form.getInputProps('email')}
          />
          <PasswordField
            label={acceptTexts.password}
            description={fieldTexts.passwordRule}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={accept.isPending}>
            {acceptTexts.submit}
          </Button>
        </Stack>
      </form>
      <ButtonLink to="/sign-in" search={{ next: `/accept/${token}` }} variant="subtle" color="gray">
        {acceptTexts.haveUser}
      </ButtonLink>
    </SignedOutFrame>
  )
}
