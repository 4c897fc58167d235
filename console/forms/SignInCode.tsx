import { Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { RequestFailed } from '../data/request.ts'
import { type CodeKind, secondFactor } from '../data/second-factor.ts'
import { signInCodeTexts } from '../messages/sign-in.ts'
import { FormProblem } from '../ui/FormProblem.tsx'
import { problemBeside, problemsOf } from './problems.ts'
import { codeProblem } from './rules.ts'

const KINDS = {
  totp: {
    label: signInCodeTexts.code,
    description: signInCodeTexts.codeNote,
    other: signInCodeTexts.useBackupCode,
  },
  'backup-code': {
    label: signInCodeTexts.backupCode,
    description: signInCodeTexts.backupCodeNote,
    other: signInCodeTexts.useCode,
  },
} as const

/** The step after the password: a code from the app, or a backup code. */
export function SignInCode(props: { readonly onSignedIn: () => Promise<void>; readonly onBack: () => void }) {
  const [kind, setKind] = useState<CodeKind>('totp')
  const form = useForm({
    initialValues: { code: '', trust: false },
    validate: {
      code: (value) =>
        kind === 'totp' ? codeProblem(value) : value.trim() === '' ? signInCodeTexts.codeMissing : null,
    },
  })
  const submit = useMutation({
    mutationFn: async ({ code, trust }: typeof form.values) => {
      await secondFactor.enterCode(kind, code, trust)
      await props.onSignedIn()
    },
    onError: (error) => {
      form.setFieldValue('code', '')
      form.setErrors(problemsOf(error))
    },
  })
  const texts = KINDS[kind]
  return (
    <form onSubmit={form.onSubmit((values) => submit.mutate(values))} noValidate>
      <Stack>
        <FormProblem error={problemBeside(submit.error, ['code'])} />
        <TextInput
          key={kind}
          label={texts.label}
          description={texts.description}
          inputMode={kind === 'totp' ? 'numeric' : 'text'}
          autoComplete={kind === 'totp' ? 'one-time-code' : 'off'}
          autoFocus
          {...form.getInputProps('code')}
        />
        <Checkbox
          label={signInCodeTexts.trust}
          description={signInCodeTexts.trustNote}
          {...form.getInputProps('trust', { type: 'checkbox' })}
        />
        <Button type="submit" loading={submit.isPending}>
          {signInCodeTexts.submit}
        </Button>
        <Button
          variant="subtle"
          onClick={() => {
            submit.reset()
            form.setFieldValue('code', '')
            form.clearErrors()
            setKind(kind === 'totp' ? 'backup-code' : 'totp')
          }}
        >
          {texts.other}
        </Button>
        {submit.error instanceof RequestFailed && (
          <Button variant="subtle" color="gray" onClick={props.onBack}>
            {signInCodeTexts.backToPassword}
          </Button>
        )}
      </Stack>
    </form>
  )
}
