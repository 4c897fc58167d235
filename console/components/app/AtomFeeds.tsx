import { Alert, Button, Stack, Table, Text } from '@mantine/core'
import { IconRss } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TrackedApp } from '../../../src/contract/v1/apps.ts'
import type { AtomFeedView } from '../../../src/contract/v1/atom-feeds.ts'
import { atomFeeds, atomFeedsQuery } from '../../data/apps.ts'
import { useSession } from '../../data/session.ts'
import { atomFeedTexts } from '../../messages/app.ts'
import { commonTexts } from '../../messages/common.ts'
import { CopyValue } from '../../ui/CopyValue.tsx'
import { confirmDestructive, notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { RowButton } from '../../ui/RowButton.tsx'
import { Section } from '../../ui/Section.tsx'
import { Failed, LoadingLines } from '../../ui/States.tsx'

/** Addresses for feed readers, created and revoked by owners. */
export function AtomFeeds({ app }: { readonly app: TrackedApp }) {
  const isOwner = useSession().role === 'owner'
  const feeds = useQuery({ ...atomFeedsQuery, select: (all) => all.filter(isOf(app)) })
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['atom-feeds'] })
  const create = useMutation({ mutationFn: () => atomFeeds.create(app), onSuccess: refresh })
  const revoke = (feed: AtomFeedView) =>
    confirmDestructive({
      title: atomFeedTexts.revokeTitle,
      consequence: atomFeedTexts.revokeNote,
      verb: atomFeedTexts.revoke,
      onConfirm: () =>
        atomFeeds
          .revoke(feed.id)
          .then(() => {
            if (create.data?.id === feed.id) create.reset()
            return refresh()
          })
          .then(() => notifyDone(atomFeedTexts.revoked), notifyFailed),
    })
  return (
    <Section
      title={atomFeedTexts.title}
      about={atomFeedTexts.about}
      actions={
        isOwner && (
          <Button variant="default" size="xs" loading={create.isPending} onClick={() => create.mutate()}>
            {atomFeedTexts.submit}
          </Button>
        )
      }
    >
      <Stack>
        <FormProblem error={create.error} />
        {create.data !== undefined && (
          <Alert color="yellow" icon={<IconRss aria-hidden />} title={atomFeedTexts.copyTitle}>
            <Text size="sm" mb="xs">
              {atomFeedTexts.copyNote}
            </Text>
            <CopyValue value={create.data.url} what={atomFeedTexts.addressName} />
          </Alert>
        )}
        {feeds.isPending && <LoadingLines lines={1} />}
        {feeds.isError && <Failed error={feeds.error} onRetry={() => feeds.refetch()} />}
        {feeds.data?.length === 0 && (
          <Text size="sm" c="dimmed">
            {isOwner ? atomFeedTexts.empty : atomFeedTexts.emptyOwnersOnly}
          </Text>
        )}
        {feeds.data !== undefined && feeds.data.length > 0 && (
          <ListTable label={atomFeedTexts.label} minWidth={320} columns={[commonTexts.created]} actions>
            {feeds.data.map((feed, index) => (
              <Table.Tr key={feed.id}>
                <Table.Td>
                  <Instant at={feed.created_at} />
                </Table.Td>
                <Table.Td ta="right">
                  {isOwner && (
                    <RowButton
                      verb={atomFeedTexts.revoke}
                      of={atomFeedTexts.addressOf(index + 1)}
                      destructive
                      onClick={() => revoke(feed)}
                    />
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </ListTable>
        )}
      </Stack>
    </Section>
  )
}

function isOf({ store, app_id }: TrackedApp): (feed: AtomFeedView) => boolean {
  return (feed) => feed.store === store && feed.app_id === app_id
}
