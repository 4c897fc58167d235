import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { StoreConnectionView } from '../../../src/contract/v1/store-connections.ts'
import { stores } from '../../data/stores.ts'
import { commonTexts } from '../../messages/common.ts'
import { credentialTexts } from '../../messages/stores.tsx'
import { notifyDone } from '../../ui/confirm.tsx'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { useProblems } from '../problems.ts'

/** Renames a connection, and changes the package names of Google Play. */
export function EditConnectionModal({
  connection,
  onClose,
}: {
  readonly connection: StoreConnectionView
  readonly onClose: () => void
}) {
  const namesBefore = connection.apps.map(({ app_id }) => app_id).join('\n')
  const [name, setName] = useState(connection.name)
  const [names, setNames] = useState(namesBefore)
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: () =>
      stores.change(connection.id, {
        name,
        ...(names !== namesBefore && { app_ids: names.split(/[\s,]+/).filter(Boolean) }),
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['stores'] })
      notifyDone(credentialTexts.saved)
      onClose()
    },
  })
  const problems = useProblems(save.error, ['name', 'app_ids'])
  return (
    <Modal opened onClose={onClose} title={credentialTexts.editTitle(connection.name)}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack>
          <FormProblem error={problems.beside} />
          <TextInput
            label={commonTexts.name}
            value={name}
            maxLength={100}
            onChange={(event) => {
              problems.edited('name')
              setName(event.currentTarget.value)
            }}
            error={problems.at('name')}
          />
          {connection.kind === 'googleplay-developer' && (
            <Textarea
              label={credentialTexts.packageNames}
              description={credentialTexts.packageNamesTested}
              autosize
              minRows={2}
              value={names}
              onChange={(event) => {
                problems.edited('app_ids')
                setNames(event.currentTarget.value)
              }}
              error={problems.at('app_ids')}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {commonTexts.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {commonTexts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
