import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { SignedOutFrame } from '../components/SignedOutFrame.tsx'
import { request } from '../data/request.ts'
import { signedIn } from '../data/session.ts'
import { problemBeside, problemsOf } from '../forms/problems.ts'
import { nameProblem, newPasswordProblem } from '../forms/rules.ts'
import { fieldTexts } from '../messages/common.ts'
import { acceptTexts } from '../messages/sign-in.ts'
import { FormProblem } from '../ui/FormProblem.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'

const FIELDS = ['name', 'password']

export function AcceptInvitation() {
  const { token } = useParams({ from: '/signed-out/accept/$token' })
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { name: '', password: '' },
    validate: { name: nameProblem, password: newPasswordProblem },
  })
  const accept = useMutation({
    mutationFn: async (values: typeof form.values) => {
      await request('POST', '/console/invitations/accept', { body: { token, ...values } })
      await signedIn(queryClient)
    },
    onError: (error) => form.setErrors(problemsOf(error)),
    onSuccess: () => navigate({ to: '/' }),
  })
  return (
    <SignedOutFrame title={acceptTexts.title} about={acceptTexts.about}>
      <form onSubmit={form.onSubmit((values) => accept.mutate(values))} noValidate>
        <Stack>
          <FormProblem error={problemBeside(accept.error, FIELDS)} />
          <TextInput
            label={acceptTexts.yourName}
            autoComplete="name"
            autoFocus
            {...form.getInputProps('name')}
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
    </SignedOutFrame>
  )
}
