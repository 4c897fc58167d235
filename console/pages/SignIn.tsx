import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { OpenFrame } from '../components/OpenFrame.tsx'
import { signedIn, signIn } from '../data/session.ts'
import { emailProblem } from '../forms/rules.ts'
import { FormProblem } from '../ui/FormProblem.tsx'
import { paths } from '../util/paths.ts'

export function SignIn() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const search: { next?: unknown } = useSearch({ strict: false })
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: { email: emailProblem, password: (value) => (value === '' ? 'Your password' : null) },
  })
  const enter = useMutation({
    mutationFn: async (values: typeof form.values) => {
      await signIn(values.email, values.password)
      await signedIn(queryClient)
    },
    onSuccess: () => navigate({ to: ownPath(search.next) }),
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

/** Where to go after signing in: an address of ours only, whatever the link said. */
function ownPath(next: unknown): string {
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : paths.overview()
}
