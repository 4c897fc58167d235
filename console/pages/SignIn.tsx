import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { SignedOutFrame } from '../components/SignedOutFrame.tsx'
import { sessionQuery, signedIn, signIn } from '../data/session.ts'
import { PasskeySignIn } from '../forms/PasskeySignIn.tsx'
import { ProviderSignIn } from '../forms/ProviderSignIn.tsx'
import { problemBeside, problemsOf } from '../forms/problems.ts'
import { emailProblem } from '../forms/rules.ts'
import { SignInCode } from '../forms/SignInCode.tsx'
import { commonTexts } from '../messages/common.ts'
import { signInTexts } from '../messages/sign-in.ts'
import { FormProblem } from '../ui/FormProblem.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { basePath } from '../util/base-path.ts'

const FIELDS = ['email', 'password']

export function SignIn() {
  const router = useRouter()
  const queryClient = useQueryClient()
  const { next = '/', problem } = useSearch({ from: '/signed-out/sign-in' })
  const { data: session } = useQuery(sessionQuery)
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: emailProblem,
      password: (value) => (value === '' ? signInTexts.passwordMissing : null),
    },
  })
  const [needsCode, setNeedsCode] = useState(false)
  const enter = async () => {
    await signedIn(queryClient)
    // The schema of `next` allows only URLs of this console.
    router.history.push(`${basePath}${next}`)
  }
  const submit = useMutation({
    mutationFn: async (values: typeof form.values) => {
      const { needsSecondFactor } = await signIn(values.email, values.password)
      if (needsSecondFactor === true) setNeedsCode(true)
      else await enter()
    },
    onError: (error) => form.setErrors(problemsOf(error)),
  })
  if (needsCode) {
    return (
      <SignedOutFrame title={signInTexts.codeTitle}>
        <SignInCode
          onSignedIn={enter}
          onBack={() => {
            form.setFieldValue('password', '')
            setNeedsCode(false)
          }}
        />
      </SignedOutFrame>
    )
  }
  return (
    <SignedOutFrame title={signInTexts.title}>
      {session != null && session.identityProvider !== null && (
        <ProviderSignIn name={session.identityProvider} next={next} problem={problem} />
      )}
      <form onSubmit={form.onSubmit((values) => submit.mutate(values))} noValidate>
        <Stack>
          <FormProblem error={problemBeside(submit.error, FIELDS)} />
          <TextInput
            label={commonTexts.email}
            type="email"
            autoComplete="username"
            autoFocus
            {...form.getInputProps('email')}
          />
          <PasswordField
            label={signInTexts.password}
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={submit.isPending}>
            {signInTexts.submit}
          </Button>
        </Stack>
      </form>
      <PasskeySignIn onSignedIn={enter} />
      <ForgotPassword />
    </SignedOutFrame>
  )
}

/** An honest answer: only the operator can prove who asks. */
function ForgotPassword() {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
      >
        {signInTexts.forgot}
      </Anchor>
      {opened && (
        <Text size="sm" role="status">
          {signInTexts.forgotAnswer}
        </Text>
      )}
    </>
  )
}
