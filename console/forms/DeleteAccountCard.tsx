import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { account } from '../data/account.ts'
import { useSession } from '../data/session.ts'
import { deletionTexts } from '../messages/account.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { Section } from '../ui/Section.tsx'
import { problemBeside, problemsOf } from './problems.ts'

/** Deletes the account after its name was entered. Only for owners; the command deletes the account of the operator. */
export function DeleteAccountCard() {
  const session = useSession()
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() === session.account?.name ? null : deletionTexts.otherName) },
  })
  const remove = useMutation({
    mutationFn: ({ name }: typeof form.values) => account.remove(name),
    onError: (error) => form.setErrors(problemsOf(error)),
    // The session has ended, so the page that loads is that of the sign-in.
    onSuccess: () => window.location.reload(),
  })
  if (session.role !== 'owner' || session.operator) return null
  return (
    <Section title={deletionTexts.title}>
      <form onSubmit={form.onSubmit((values) => remove.mutate(values))} noValidate>
        <Stack maw={360}>
          <Text size="sm">{deletionTexts.about}</Text>
          <FormProblem error={problemBeside(remove.error, ['name'])} />
          <TextInput
            label={deletionTexts.name}
            description={session.account?.name}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <Button type="submit" color="red" loading={remove.isPending} style={{ alignSelf: 'start' }}>
            {deletionTexts.submit}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}
