import { Button, Stack } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReplyTemplates } from '../components/reply/ReplyTemplates.tsx'
import { ConnectionCard } from '../components/stores/ConnectionCard.tsx'
import { useSession } from '../data/session.ts'
import { storesQuery } from '../data/stores.ts'
import { ConnectStoreModal } from '../forms/stores/ConnectStoreModal.tsx'
import { storesTexts } from '../messages/stores.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty, Failed, LoadingLines } from '../ui/States.tsx'

/** Connections with App Store Connect and the Google Play Developer API. */
export function Stores() {
  const isOwner = useSession().role === 'owner'
  const connections = useQuery(storesQuery)
  const [isConnecting, setConnecting] = useState(false)
  const connect = isOwner && (
    <Button leftSection={<IconPlugConnected size={16} aria-hidden />} onClick={() => setConnecting(true)}>
      {storesTexts.connect}
    </Button>
  )
  return (
    <Stack gap="lg">
      <PageHeader
        title={storesTexts.title}
        about={storesTexts.about}
        actions={connections.data?.length === 0 ? null : connect}
      />
      {connections.isPending && <LoadingLines lines={3} />}
      {connections.isError && <Failed error={connections.error} onRetry={() => connections.refetch()} />}
      {connections.data?.length === 0 && (
        <Empty title={storesTexts.emptyTitle} action={connect}>
          {storesTexts.emptyNote} {isOwner ? storesTexts.keyNeeded : storesTexts.ownersOnly}
        </Empty>
      )}
      {connections.data?.map((connection) => (
        <ConnectionCard
          key={connection.id}
          connection={connection}
          all={connections.data}
          isOwner={isOwner}
        />
      ))}
      {connections.data !== undefined && connections.data.length > 0 && <ReplyTemplates />}
      {isConnecting && <ConnectStoreModal onClose={() => setConnecting(false)} />}
    </Stack>
  )
}
