import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { SignedOutFrame } from '../components/SignedOutFrame.tsx'
import { signedIn, signIn } from '../data/session.ts'
import { problemBeside, problemsOf } from '../forms/problems.ts'
import { emailProblem } from '../forms/rules.ts'
import { FormProblem } from '../ui/FormProblem.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'

const FIELDS = ['email', 'password']

export function SignIn() {
  const router = useRouter()
  const queryClient = useQueryClient()
  const { next = '/' } = useSearch({ from: '/signed-out/sign-in' })
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: { email: emailProblem, password: (value) => (value === '' ? 'Enter your password' : null) },
  })
  const submit = useMutation({
    mutationFn: async (values: typeof form.values) => {
      await signIn(values.email, values.password)
      await signedIn(queryClient)
    },
    // The schema of `next` allows only URLs of this console.
    onError: (error) => form.setErrors(problemsOf(error)),
    onSuccess: () => router.history.push(next),
  })
  return (
    <SignedOutFrame title="Sign in">
      <form onSubmit={form.onSubmit((values) => submit.mutate(values))} noValidate>
        <Stack>
          <FormProblem error={problemBeside(submit.error, FIELDS)} />
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            autoFocus
            {...form.getInputProps('email')}
          />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={submit.isPending}>
            Sign in
          </Button>
        </Stack>
      </form>
    </SignedOutFrame>
  )
}
