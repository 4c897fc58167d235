import { Button, Group, Table, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PasskeyView } from '../../src/contract/console/people.ts'
import { browserHasPasskeys, passkeys, passkeysQuery } from '../data/passkeys.ts'
import { nameProblem } from '../forms/rules.ts'
import { commonTexts } from '../messages/common.ts'
import { passkeyTexts } from '../messages/passkeys.ts'
import { confirmDestructive, notifyDone, notifyFailed } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { Instant } from '../ui/Instant.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { RowButton } from '../ui/RowButton.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingLines } from '../ui/States.tsx'

/** The passkeys of the signed-in user. Hidden where the service has no host name, because browsers then allow none. */
export function Passkeys() {
  const query = useQuery(passkeysQuery)
  const queryClient = useQueryClient()
  const [renamedId, setRenamedId] = useState<string | null>(null)
  const refresh = () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey })
  const rename = useMutation({
    mutationFn: (to: { readonly id: string; readonly name: string }) => passkeys.rename(to.id, to.name),
    onSuccess: () => setRenamedId(null),
    onError: notifyFailed,
    onSettled: refresh,
  })
  const remove = ({ id, name }: PasskeyView) =>
    confirmDestructive({
      title: passkeyTexts.removeTitle(name),
      consequence: passkeyTexts.removeBody,
      verb: passkeyTexts.remove,
      onConfirm: () =>
        passkeys
          .remove(id)
          .then(refresh)
          .then(() => notifyDone(passkeyTexts.removed(name)), notifyFailed),
    })
  if (query.data === null) return null
  return (
    <Section title={passkeyTexts.title} about={passkeyTexts.about}>
      {query.isPending && <LoadingLines lines={2} />}
      {query.isError && <Failed error={query.error} onRetry={() => query.refetch()} />}
      {query.data?.length === 0 && <Text c="dimmed">{passkeyTexts.empty}</Text>}
      {query.data !== undefined && query.data.length > 0 && (
        <ListTable
          label={passkeyTexts.title}
          minWidth={480}
          columns={[commonTexts.name, passkeyTexts.addedColumn, commonTexts.lastUsed]}
          actions
        >
          {query.data.map((passkey) => (
            <Table.Tr key={passkey.id}>
              <Table.Td>
                {renamedId === passkey.id ? (
                  <RenameForm
                    name={passkey.name}
                    isSaving={rename.isPending}
                    onSave={(name) => rename.mutate({ id: passkey.id, name })}
                  />
                ) : (
                  passkey.name
                )}
              </Table.Td>
              <Table.Td>
                <Instant at={passkey.createdAt} />
              </Table.Td>
              <Table.Td>
                {passkey.lastUsedAt === null ? commonTexts.never : <Instant at={passkey.lastUsedAt} />}
              </Table.Td>
              <Table.Td ta="right">
                <RowButton
                  verb={passkeyTexts.rename}
                  of={passkey.name}
                  onClick={() => setRenamedId(passkey.id)}
                />
                <RowButton
                  verb={passkeyTexts.remove}
                  of={passkey.name}
                  destructive
                  onClick={() => remove(passkey)}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </ListTable>
      )}
      {browserHasPasskeys() && <AddPasskey onAdded={refresh} />}
    </Section>
  )
}

function AddPasskey({ onAdded }: { readonly onAdded: () => Promise<void> }) {
  const form = useForm({ initialValues: { name: '' }, validate: { name: nameOfDevice } })
  const add = useMutation({
    mutationFn: ({ name }: typeof form.values) => passkeys.add(name),
    onSuccess: async () => {
      form.reset()
      notifyDone(passkeyTexts.added)
      await onAdded()
    },
  })
  return (
    <form onSubmit={form.onSubmit((values) => add.mutate(values))} noValidate>
      <FormProblem error={add.error} />
      <Group align="flex-end" mt="sm">
        <TextInput
          label={passkeyTexts.nameLabel}
          placeholder={passkeyTexts.namePlaceholder}
          maxLength={100}
          {...form.getInputProps('name')}
        />
        <Button type="submit" loading={add.isPending}>
          {passkeyTexts.add}
        </Button>
      </Group>
    </form>
  )
}

function RenameForm(props: {
  readonly name: string
  readonly isSaving: boolean
  readonly onSave: (name: string) => void
}) {
  const form = useForm({ initialValues: { name: props.name }, validate: { name: nameOfDevice } })
  return (
    <form onSubmit={form.onSubmit(({ name }) => props.onSave(name.trim()))} noValidate>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          aria-label={passkeyTexts.newName(props.name)}
          size="xs"
          maxLength={100}
          autoFocus
          {...form.getInputProps('name')}
        />
        <Button type="submit" size="xs" loading={props.isSaving}>
          {commonTexts.save}
        </Button>
      </Group>
    </form>
  )
}

function nameOfDevice(value: string): string | null {
  return nameProblem(value) === null ? null : passkeyTexts.nameMissing
}
