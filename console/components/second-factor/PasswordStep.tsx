import { Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { problemBeside, problemsOf } from '../../forms/problems.ts'
import { secondFactorTexts } from '../../messages/second-factor.tsx'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'

/** Asks for the password before a change of the second factor. */
export function PasswordStep(props: {
  readonly about: ReactNode
  readonly verb: string
  readonly destructive?: boolean
  readonly send: Pick<UseMutationResult<unknown, Error, string>, 'mutate' | 'isPending' | 'error'>
}) {
  const form = useForm({
    initialValues: { currentPassword: '' },
    validate: { currentPassword: (value) => (value === '' ? secondFactorTexts.passwordMissing : null) },
  })
  return (
    <form
      onSubmit={form.onSubmit(({ currentPassword }) =>
        props.send.mutate(currentPassword, { onError: (error) => form.setErrors(problemsOf(error)) }),
      )}
      noValidate
    >
      <Stack>
        <FormProblem error={problemBeside(props.send.error, ['currentPassword'])} />
        <Text size="sm">{props.about}</Text>
        <PasswordField
          label={secondFactorTexts.password}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('currentPassword')}
        />
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={props.send.isPending}
            {...(props.destructive === true && { color: 'red' })}
          >
            {props.verb}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
