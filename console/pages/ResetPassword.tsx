import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { SignedOutFrame } from '../components/SignedOutFrame.tsx'
import { resetPassword } from '../data/session.ts'
import { problemBeside, problemsOf } from '../forms/problems.ts'
import { newPasswordProblem } from '../forms/rules.ts'
import { fieldTexts } from '../messages/common.ts'
import { resetTexts } from '../messages/sign-in.ts'
import { notifyDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'

/** The page of the link that `radar user reset-password` prints. */
export function ResetPassword() {
  const { token } = useParams({ from: '/signed-out/reset-password/$token' })
  const navigate = useNavigate()
  const form = useForm({ initialValues: { newPassword: '' }, validate: { newPassword: newPasswordProblem } })
  const reset = useMutation({
    mutationFn: ({ newPassword }: typeof form.values) => resetPassword(token, newPassword),
    onError: (error) => form.setErrors(problemsOf(error)),
    onSuccess: async () => {
      notifyDone(resetTexts.done)
      await navigate({ to: '/sign-in' })
    },
  })
  return (
    <SignedOutFrame title={resetTexts.title} about={resetTexts.about}>
      <form onSubmit={form.onSubmit((values) => reset.mutate(values))} noValidate>
        <Stack>
          <FormProblem error={problemBeside(reset.error, ['newPassword'])} />
          <PasswordField
            label={resetTexts.newPassword}
            description={fieldTexts.passwordRule}
            autoComplete="new-password"
            autoFocus
            {...form.getInputProps('newPassword')}
          />
          <Button type="submit" loading={reset.isPending}>
            {resetTexts.submit}
          </Button>
        </Stack>
      </form>
    </SignedOutFrame>
  )
}
