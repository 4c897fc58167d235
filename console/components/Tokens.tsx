import { Alert, Anchor, Badge, Stack, Table, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TokenView } from '../../src/contract/account.ts'
import { SCOPE_NAMES } from '../../src/contract/console/display-names.ts'
import { TOKEN_SCOPES } from '../../src/model/vocabulary.ts'
import { account, tokensQuery } from '../data/account.ts'
import { useSession } from '../data/session.ts'
import { tokenTexts } from '../messages/account.tsx'
import { commonTexts } from '../messages/common.ts'
import { CopyValue } from '../ui/CopyValue.tsx'
import { confirmDestructive, notifyDone, notifyFailed } from '../ui/confirm.tsx'
import { Instant } from '../ui/Instant.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { RowButton } from '../ui/RowButton.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingLines } from '../ui/States.tsx'
import { useNow } from '../ui/use-now.ts'
import { basePath } from '../util/base-path.ts'
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
      title: tokenTexts.revokeTitle(token.name),
      consequence: tokenTexts.revokeBody,
      verb: tokenTexts.revoke,
      onConfirm: () =>
        account
          .revokeToken(token.id)
          .then(() => {
            // Hide the value of the revoked token.
            if (create.data?.id === token.id) create.reset()
            return refresh()
          })
          .then(() => notifyDone(tokenTexts.revoked), notifyFailed),
    })
  const owner = session.role === 'owner'
  return (
    <Section
      title={tokenTexts.title}
      about={tokenTexts.about(
        <Anchor href={`${basePath}/docs`} size="sm" underline="always">
          {tokenTexts.apiReference}
        </Anchor>,
      )}
    >
      <Stack>
        {create.data !== undefined && (
          <Alert color="yellow" icon={<IconKey aria-hidden />} title={tokenTexts.copyTitle(create.data.name)}>
            <Text size="sm" mb="xs">
              {tokenTexts.copyNote}
            </Text>
            <CopyValue value={create.data.value} what={tokenTexts.secretName} />
          </Alert>
        )}
        {tokens.isPending && <LoadingLines lines={2} />}
        {tokens.isError && <Failed error={tokens.error} onRetry={() => tokens.refetch()} />}
        {tokens.data?.length === 0 && <Text c="dimmed">{tokenTexts.empty}</Text>}
        {tokens.data !== undefined && tokens.data.length > 0 && (
          <ListTable
            label={tokenTexts.title}
            minWidth={640}
            columns={[
              commonTexts.name,
              tokenTexts.permissions,
              commonTexts.created,
              tokenTexts.expires,
              commonTexts.lastUsed,
            ]}
            actions
          >
            {tokens.data.map((token) => (
              <Table.Tr key={token.id}>
                <Table.Td style={{ overflowWrap: 'break-word' }}>{token.name}</Table.Td>
                <Table.Td>{scopesText(token)}</Table.Td>
                <Table.Td>
                  <Instant at={token.created_at} />
                </Table.Td>
                <Table.Td>
                  <Expiry of={token} />
                </Table.Td>
                <Table.Td>
                  <LastUse of={token} />
                </Table.Td>
                <Table.Td ta="right">
                  {owner && (
                    <RowButton
                      verb={tokenTexts.revoke}
                      of={token.name}
                      destructive
                      onClick={() => revoke(token)}
                    />
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
            {tokenTexts.ownersOnly}
          </Text>
        )}
      </Stack>
    </Section>
  )
}

function scopesText({ scopes }: TokenView): string {
  return scopes.length === TOKEN_SCOPES.length
    ? tokenTexts.fullAccess
    : scopes.map((scope) => SCOPE_NAMES[scope]).join(', ')
}

function Expiry({ of: { expires_at } }: { of: TokenView }) {
  const now = useNow()
  if (expires_at === null) return commonTexts.never
  const isExpired = Date.parse(expires_at) <= now.getTime()
  return isExpired ? <Badge color="red">{tokenTexts.expired}</Badge> : <Instant at={expires_at} />
}

function LastUse({ of: { last_used_at, last_used_network } }: { of: TokenView }) {
  if (last_used_at === null) return commonTexts.never
  return (
    <>
      <Instant at={last_used_at} />
      {last_used_network !== null && (
        <Text size="xs" c="dimmed">
          {tokenTexts.lastUsedFrom(last_used_network)}
        </Text>
      )}
    </>
  )
}
