import { Alert, Badge, Button, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MemberView } from '../../src/contract/console/people.ts'
import { ROLES, type Role } from '../../src/model/vocabulary.ts'
import { account, invitationsQuery, membersQuery } from '../data/account.ts'
import { useSession } from '../data/session.ts'
import { emailProblem } from '../forms/rules.ts'
import { CopyValue } from '../ui/CopyValue.tsx'
import { confirmDestructive, tellDone, tellFailed } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { Instant } from '../ui/Instant.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { RowButton } from '../ui/RowButton.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingLines } from '../ui/States.tsx'

const ROLE_OPTIONS = [
  { value: 'member', label: 'Member' },
  { value: 'owner', label: 'Owner' },
]

/** The people of this account; owners invite, change roles and remove. */
export function Members() {
  const owner = useSession().role === 'owner'
  const members = useQuery(membersQuery)
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['members'] })
  const remove = (member: MemberView) =>
    confirmDestructive({
      title: `Remove ${member.name}?`,
      consequence: 'They are signed out and can no longer see this account. What they made stays.',
      verb: 'Remove',
      onConfirm: () =>
        account
          .removeMember(member.id)
          .then(refresh)
          .then(() => tellDone('Removed.'), tellFailed),
    })
  const setRole = (member: MemberView, role: Role) =>
    account
      .setRole(member.id, role)
      .then(refresh)
      .then(() => tellDone(`${member.name} is ${role} now.`), tellFailed)
  return (
    <Section title="Members">
      {members.isPending && <LoadingLines lines={2} />}
      {members.isError && <Failed error={members.error} onRetry={() => members.refetch()} />}
      {members.data !== undefined && (
        <ListTable minWidth={480} columns={['Name', 'Role', 'Since']} actions>
          {members.data?.map((member) => (
            <Table.Tr key={member.id}>
              <Table.Td>
                {member.name}{' '}
                {member.you && (
                  <Badge size="xs" variant="light">
                    you
                  </Badge>
                )}
                <Text size="xs" c="dimmed">
                  {member.email}
                </Text>
              </Table.Td>
              <Table.Td>
                {owner && !member.you ? (
                  <Select
                    aria-label={`Role of ${member.name}`}
                    data={ROLE_OPTIONS}
                    value={member.role}
                    onChange={(value) => {
                      const role = ROLES.find((known) => known === value)
                      if (role !== undefined && role !== member.role) void setRole(member, role)
                    }}
                    allowDeselect={false}
                    size="xs"
                    w={120}
                  />
                ) : (
                  member.role
                )}
              </Table.Td>
              <Table.Td>
                <Instant at={member.joinedAt} />
              </Table.Td>
              <Table.Td ta="right">
                {owner && !member.you && (
                  <RowButton verb="Remove" of={member.name} destructive onClick={() => remove(member)} />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </ListTable>
      )}
      {owner && <Invitations />}
    </Section>
  )
}

function Invitations() {
  const invitations = useQuery(invitationsQuery)
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['invitations'] })
  const invite = useMutation({
    mutationFn: () => account.invite(email.trim(), role),
    onSuccess: async () => {
      setEmail('')
      await refresh()
    },
  })
  return (
    <Stack mt="md">
      <FormProblem error={invite.error} />
      {invite.data !== undefined && (
        <Alert color="yellow" title={`Send this link to ${invite.data.email}`}>
          <Text size="sm" mb="xs">
            It is shown this once, works once, and ends <Instant at={invite.data.expiresAt} />
          </Text>
          <CopyValue value={invite.data.url} what="invitation link" />
        </Alert>
      )}
      {invitations.isError && <Failed error={invitations.error} onRetry={() => invitations.refetch()} />}
      {invitations.data?.map((invitation) => (
        <Group key={invitation.id} justify="space-between">
          <Text size="sm">
            {invitation.email}, invited as {invitation.role} <Instant at={invitation.createdAt} />; the link
            ends <Instant at={invitation.expiresAt} />
          </Text>
          <RowButton
            verb="Withdraw"
            of={`the invitation of ${invitation.email}`}
            destructive
            onClick={() => account.withdraw(invitation.id).then(refresh, tellFailed)}
          />
        </Group>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (emailProblem(email.trim()) === null) invite.mutate()
        }}
      >
        <Group align="flex-end">
          <TextInput
            label="Invite by e-mail address"
            type="email"
            placeholder="colleague@example.com"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            w={260}
          />
          <Select
            label="As"
            data={ROLE_OPTIONS}
            value={role}
            onChange={(value) => setRole(ROLES.find((known) => known === value) ?? 'member')}
            allowDeselect={false}
            w={120}
          />
          <Button
            type="submit"
            variant="default"
            loading={invite.isPending}
            disabled={emailProblem(email.trim()) !== null}
          >
            Make an invitation link
          </Button>
        </Group>
      </form>
    </Stack>
  )
}
