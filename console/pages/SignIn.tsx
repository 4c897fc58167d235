import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { OpenFrame } from '../components/OpenFrame.tsx'
import { signedIn, signIn } from '../data/session.ts'
import { emailProblem } from '../forms/rules.ts'
import { FormProblem } from '../ui/FormProblem.tsx'

export function SignIn() {
  const router = useRouter()
  const queryClient = useQueryClient()
  const { next = '/' } = useSearch({ from: '/open/sign-in' })
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: { email: emailProblem, password: (value) => (value === '' ? 'Enter your password' : null) },
  })
  const enter = useMutation({
    mutationFn: async (values: typeof form.values) => {
      await signIn(values.email, values.password)
      await signedIn(queryClient)
    },
    // Its schema lets only addresses of this console through.
    onSuccess: () => router.history.push(next),
  })
  return (
    <OpenFrame title="Sign in">
      <form onSubmit={form.onSubmit((values) => enter.mutate(values))} noValidate>
        <Stack>
          <FormProblem error={enter.error} />
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            autoFocus
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={enter.isPending}>
            Sign in
          </Button>
        </Stack>
      </form>
    </OpenFrame>
  )
}
