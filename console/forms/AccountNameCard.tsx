import { Button, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { account } from '../data/account.ts'
import { sessionQuery, useSession } from '../data/session.ts'
import { accountNameTexts } from '../messages/account.tsx'
import { commonTexts } from '../messages/common.ts'
import { notifyDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { Section } from '../ui/Section.tsx'
import { problemBeside, problemsOf } from './problems.ts'

/** Changes the name of the account. Only for owners. */
export function AccountNameCard() {
  const session = useSession()
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { name: session.account?.name ?? '' },
    validate: { name: (value) => (value.trim() === '' ? accountNameTexts.missing : null) },
  })
  const rename = useMutation({
    mutationFn: ({ name }: typeof form.values) => account.rename(name.trim()),
    onError: (error) => form.setErrors(problemsOf(error)),
    onSuccess: async ({ name }) => {
      await queryClient.refetchQueries({ queryKey: sessionQuery.queryKey })
      notifyDone(accountNameTexts.renamed(name))
    },
  })
  if (session.role !== 'owner') return null
  return (
    <Section title={accountNameTexts.title} about={accountNameTexts.about}>
      <form onSubmit={form.onSubmit((values) => rename.mutate(values))} noValidate>
        <FormProblem error={problemBeside(rename.error, ['name'])} />
        <Group align="flex-start">
          <TextInput
            aria-label={accountNameTexts.title}
            maxLength={100}
            autoComplete="organization"
            w={260}
            {...form.getInputProps('name')}
          />
          <Button type="submit" variant="default" loading={rename.isPending}>
            {commonTexts.save}
          </Button>
        </Group>
      </form>
    </Section>
  )
}
