import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CONNECTION_KIND_NAMES } from '../../../src/contract/console/display-names.ts'
import type { CredentialsBody, StoreConnectionView } from '../../../src/contract/v1/store-connections.ts'
import { stores } from '../../data/stores.ts'
import { commonTexts } from '../../messages/common.ts'
import { credentialTexts } from '../../messages/stores.tsx'
import { notifyDone } from '../../ui/confirm.tsx'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { useProblems } from '../problems.ts'
import {
  type CredentialField,
  CredentialFields,
  type Credentials,
  NO_CREDENTIALS,
} from './CredentialFields.tsx'

const CREDENTIAL_FIELDS = Object.keys(NO_CREDENTIALS) as CredentialField[]
const KINDS = ['appstoreconnect', 'googleplay-developer'] as const

/** Asks for credentials, which the service tests before it stores them. `replaced`: a connection that gets new ones. */
export function ConnectStoreModal({
  replaced,
  onClose,
}: {
  readonly replaced?: StoreConnectionView
  readonly onClose: () => void
}) {
  const [kind, setKind] = useState<CredentialsBody['kind']>(replaced?.kind ?? 'appstoreconnect')
  const [name, setName] = useState('')
  const [credentials, setCredentials] = useState<Credentials>(NO_CREDENTIALS)
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: () => {
      const body = bodyOf(kind, credentials, replaced)
      return replaced === undefined
        ? stores.connect({ ...body, ...(name.trim() !== '' && { name: name.trim() }) })
        : stores.rotate(replaced.id, body)
    },
    onSuccess: async ({ apps }) => {
      await queryClient.invalidateQueries({ queryKey: ['stores'] })
      notifyDone(credentialTexts.done(apps.length))
      onClose()
    },
  })
  const problems = useProblems<CredentialField | 'name'>(save.error, ['name', ...CREDENTIAL_FIELDS])
  const set = (change: Partial<Credentials>) => {
    problems.edited(...CREDENTIAL_FIELDS.filter((field) => field in change))
    setCredentials((before) => ({ ...before, ...change }))
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={
        replaced === undefined ? credentialTexts.connectTitle : credentialTexts.replaceTitle(replaced.name)
      }
      size="lg"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack>
          <FormProblem error={problems.beside} />
          {replaced === undefined && (
            <SegmentedControl
              aria-label={credentialTexts.storeLabel}
              value={kind}
              onChange={(value) => {
                save.reset()
                setKind(value as CredentialsBody['kind'])
              }}
              data={KINDS.map((value) => ({ value, label: CONNECTION_KIND_NAMES[value] }))}
            />
          )}
          <CredentialFields
            kind={kind}
            value={credentials}
            set={set}
            problems={problems}
            isNew={replaced === undefined}
          />
          {replaced === undefined && (
            <TextInput
              label={commonTexts.name}
              description={credentialTexts.nameNote}
              value={name}
              maxLength={100}
              onChange={(event) => {
                problems.edited('name')
                setName(event.currentTarget.value)
              }}
              error={problems.at('name')}
            />
          )}
          <Text size="sm" c="dimmed">
            {credentialTexts.keyNote}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {commonTexts.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {replaced === undefined ? credentialTexts.testAndConnect : credentialTexts.testAndReplace}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function bodyOf(
  kind: CredentialsBody['kind'],
  { app_ids, reports_bucket, service_account, ...key }: Credentials,
  replaced: StoreConnectionView | undefined,
): CredentialsBody {
  if (kind === 'appstoreconnect') return { kind, ...key }
  const names = app_ids.split(/[\s,]+/).filter(Boolean)
  // The package names and the bucket of a connection stay as they are when its key is replaced.
  return { kind, service_account, ...(replaced === undefined && { app_ids: names, reports_bucket }) }
}
