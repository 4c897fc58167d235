import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { DestinationPage } from '../../../src/contract/console/destinations.ts'
import { destinations, useDestinationChanged } from '../../data/destinations.ts'
import { secretTexts } from '../../messages/destinations.tsx'
import { confirmDestructive, notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { MayChange } from '../MayChange.tsx'

/** During a rotation: the state of the new secret and of each old one, with the end of the old ones. */
export function RotationHint({ page }: { readonly page: DestinationPage }) {
  const refresh = useDestinationChanged(page.id)
  const end = useMutation({
    mutationFn: () => destinations.revokeOld(page.id),
    onSuccess: async () => {
      notifyDone(secretTexts.revoked)
      await refresh()
    },
    onError: notifyFailed,
  })
  const confirm = () =>
    confirmDestructive({
      title: secretTexts.endTitle,
      consequence: secretTexts.endNote,
      verb: secretTexts.endNow,
      onConfirm: () => end.mutate(),
    })
  if (page.oldSecretsExpireAt.length === 0) return null
  return (
    <Alert variant="light" title={secretTexts.rotating}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{secretTexts.newState}</Text>
        {page.oldSecretsExpireAt.map((at) => (
          <Text key={at} size="sm">
            {secretTexts.oldState(<Instant at={at} />)}
          </Text>
        ))}
        <MayChange>
          <Button size="xs" variant="light" color="red" onClick={confirm} loading={end.isPending}>
            {secretTexts.endNow}
          </Button>
        </MayChange>
      </Stack>
    </Alert>
  )
}
