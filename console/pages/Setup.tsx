import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { SignedOutFrame } from '../components/SignedOutFrame.tsx'
import { request } from '../data/request.ts'
import { signedIn } from '../data/session.ts'
import { problemBeside, problemsOf } from '../forms/problems.ts'
import { emailProblem, nameProblem, newPasswordProblem } from '../forms/rules.ts'
import { commonTexts, fieldTexts } from '../messages/common.ts'
import { setupTexts } from '../messages/sign-in.ts'
import { FormProblem } from '../ui/FormProblem.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'

const FIELDS = ['code', 'name', 'email', 'password']

/** Creates the first user of an installation, with the code from its log. */
export function Setup() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { code: '', name: '', email: '', password: '' },
    validate: {
      code: (value) => (value.trim() === '' ? setupTexts.codeMissing : null),
      name: nameProblem,
      email: emailProblem,
      password: newPasswordProblem,
    },
  })
  const setUp = useMutation({
    mutationFn: async (values: typeof form.values) => {
      await request('POST', '/console/setup', { body: values })
      await signedIn(queryClient)
    },
    onError: (error) => form.setErrors(problemsOf(error)),
    onSuccess: () => navigate({ to: '/' }),
  })
  return (
    <SignedOutFrame title={setupTexts.title} about={setupTexts.about}>
      <form onSubmit={form.onSubmit((values) => setUp.mutate(values))} noValidate>
        <Stack>
          <FormProblem error={problemBeside(setUp.error, FIELDS)} />
          <TextInput
            label={setupTexts.code}
            autoComplete="one-time-code"
            autoFocus
            {...form.getInputProps('code')}
          />
          <TextInput label={setupTexts.yourName} autoComplete="name" {...form.getInputProps('name')} />
          <TextInput
            label={commonTexts.email}
            type="email"
            autoComplete="username"
            {...form.getInputProps('email')}
          />
          <PasswordField
            label={setupTexts.password}
            description={fieldTexts.passwordRule}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={setUp.isPending}>
            {setupTexts.submit}
          </Button>
        </Stack>
      </form>
    </SignedOutFrame>
  )
}
