import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { account } from '../data/account.ts'
import { tellDone, tellFailed } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { Section } from '../ui/Section.tsx'
import { newPasswordProblem } from './rules.ts'

/** One's own password, and signing out everywhere else. */
export function PasswordCard() {
  const form = useForm({
    initialValues: { current: '', next: '' },
    validate: {
      current: (value) => (value === '' ? 'Your present password' : null),
      next: newPasswordProblem,
    },
  })
  const change = useMutation({
    mutationFn: (values: typeof form.values) => account.changePassword(values.current, values.next),
    onSuccess: () => {
      form.reset()
      tellDone('Your password is changed. Everywhere else you are signed out.')
    },
  })
  const leave = useMutation({
    mutationFn: account.signOutElsewhere,
    onSuccess: () => tellDone('You are signed out everywhere else.'),
    onError: tellFailed,
  })
  return (
    <Section title="Password">
      <form onSubmit={form.onSubmit((values) => change.mutate(values))} noValidate>
        <Stack maw={360}>
          <FormProblem error={change.error} />
          <PasswordInput
            label="Present password"
            autoComplete="current-password"
            {...form.getInputProps('current')}
          />
          <PasswordInput
            label="New password"
            description="At least 10 characters"
            autoComplete="new-password"
            {...form.getInputProps('next')}
          />
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
            <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
              Sign out everywhere else
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
