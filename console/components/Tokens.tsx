import { Alert, Anchor, Badge, Stack, Table, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { SCOPE_NAMES } from '../../src/contract/console/display-names.ts'
import type { TokenView } from '../../src/contract/console/people.ts'
import { TOKEN_SCOPES } from '../../src/model/vocabulary.ts'
import { account, tokensQuery } from '../data/account.ts'
import { useSession } from '../data/session.ts'
import { CopyValue } from '../ui/CopyValue.tsx'
import { confirmDestructive, notifyDone, notifyFailed } from '../ui/confirm.tsx'
import { Instant } from '../ui/Instant.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { RowButton } from '../ui/RowButton.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingLines } from '../ui/States.tsx'
import { NewToken } from './NewToken.tsx'

/** API tokens, created and revoked by owners. */
export function Tokens() {
  const session = useSession()
  const tokens = useQuery(tokensQuery)
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['tokens'] })
  const create = useMutation({
    mutationFn: account.createToken,
    onSuccess: refresh,
  })
  const revoke = (token: TokenView) =>
    confirmDestructive({
      title: `Revoke “${token.name}”?`,
      consequence: 'Programs that use it lose access at once. Their hooks stay.',
      verb: 'Revoke',
      onConfirm: () =>
        account
          .revokeToken(token.id)
          .then(() => {
            // Hide the value of the revoked token.
            if (create.data?.id === token.id) create.reset()
            return refresh()
          })
          .then(() => notifyDone('Token revoked.'), notifyFailed),
    })
  const owner = session.role === 'owner'
  return (
    <Section
      title="API tokens"
      about={
        <>
          For your programs and automation platforms.{' '}
          <Anchor href="/docs" size="sm" underline="always">
            API reference
          </Anchor>
        </>
      }
    >
      <Stack>
        {create.data !== undefined && (
          <Alert
            color="yellow"
            icon={<IconKey aria-hidden />}
            title={`Copy the token “${create.data.name}” now`}
          >
            <Text size="sm" mb="xs">
              You cannot see it again: we store only a hash.
            </Text>
            <CopyValue value={create.data.value} what="API token" />
          </Alert>
        )}
        {tokens.isPending && <LoadingLines lines={2} />}
        {tokens.isError && <Failed error={tokens.error} onRetry={() => tokens.refetch()} />}
        {tokens.data?.length === 0 && <Text c="dimmed">No tokens yet.</Text>}
        {tokens.data !== undefined && tokens.data.length > 0 && (
          <ListTable
            label="API tokens"
            minWidth={640}
            columns={['Name', 'Permissions', 'Created', 'Expires', 'Last used']}
            actions
          >
            {tokens.data.map((token) => (
              <Table.Tr key={token.id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{token.name}</Table.Td>
                <Table.Td>{scopesText(token)}</Table.Td>
                <Table.Td>
                  <Instant at={token.createdAt} />
                </Table.Td>
                <Table.Td>
                  <Expiry of={token} />
                </Table.Td>
                <Table.Td>
                  <LastUse of={token} />
                </Table.Td>
                <Table.Td ta="right">
                  {owner && (
                    <RowButton verb="Revoke" of={token.name} destructive onClick={() => revoke(token)} />
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </ListTable>
        )}
        {owner ? (
          <NewToken
            onCreate={create.mutate}
            isCreating={create.isPending}
            error={create.error}
            key={create.data?.id ?? 'first'}
          />
        ) : (
          <Text size="sm" c="dimmed">
            Only owners can create and revoke tokens.
          </Text>
        )}
      </Stack>
    </Section>
  )
}

function scopesText({ scopes }: TokenView): string {
  return scopes.length === TOKEN_SCOPES.length
    ? 'Full access'
    : scopes.map((scope) => SCOPE_NAMES[scope]).join(', ')
}

function Expiry({ of: { expiresAt, isExpired } }: { of: TokenView }) {
  if (expiresAt === null) return 'Never'
  return isExpired ? <Badge color="red">Expired</Badge> : <Instant at={expiresAt} />
}

function LastUse({ of: { lastUsedAt, lastUsedNetwork } }: { of: TokenView }) {
  if (lastUsedAt === null) return 'Never'
  return (
    <>
      <Instant at={lastUsedAt} />
      {lastUsedNetwork !== null && (
        <Text size="xs" c="dimmed">
          from {lastUsedNetwork}
        </Text>
      )}
    </>
  )
}
