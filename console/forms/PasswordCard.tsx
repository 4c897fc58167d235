import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { account } from '../data/account.ts'
import { secondFactorQuery } from '../data/second-factor.ts'
import { passwordTexts } from '../messages/account.tsx'
import { fieldTexts } from '../messages/common.ts'
import { notifyDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { Section } from '../ui/Section.tsx'
import { problemBeside, problemsOf } from './problems.ts'
import { newPasswordProblem } from './rules.ts'

/** Hidden from a user who signs in only at the identity provider. */
export function PasswordCard() {
  const { data } = useQuery(secondFactorQuery)
  return data?.hasPassword === false ? null : <ChangePassword />
}

/** Changes the password, and signs out all other sessions. */
function ChangePassword() {
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: {
      currentPassword: (value) => (value === '' ? passwordTexts.currentMissing : null),
      newPassword: newPasswordProblem,
    },
  })
  const change = useMutation({
    mutationFn: (values: typeof form.values) =>
      account.changePassword(values.currentPassword, values.newPassword),
    onError: (error) => form.setErrors(problemsOf(error)),
    onSuccess: () => {
      form.reset()
      notifyDone(passwordTexts.changed)
    },
  })
  return (
    <Section title={passwordTexts.title}>
      <form onSubmit={form.onSubmit((values) => change.mutate(values))} noValidate>
        <Stack maw={360}>
          <FormProblem error={problemBeside(change.error, ['currentPassword', 'newPassword'])} />
          <PasswordField
            label={passwordTexts.current}
            autoComplete="current-password"
            {...form.getInputProps('currentPassword')}
          />
          <PasswordField
            label={passwordTexts.new}
            description={fieldTexts.passwordRule}
            autoComplete="new-password"
            {...form.getInputProps('newPassword')}
          />
          <Button type="submit" loading={change.isPending} style={{ alignSelf: 'start' }}>
            {passwordTexts.submit}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}
