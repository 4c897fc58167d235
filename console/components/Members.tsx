import { Badge, Select, Table, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ROLE_NAMES } from '../../src/contract/console/display-names.ts'
import type { MemberView } from '../../src/contract/console/people.ts'
import { ROLES, type Role } from '../../src/model/vocabulary.ts'
import { account, membersQuery } from '../data/account.ts'
import { useSession } from '../data/session.ts'
import { memberTexts } from '../messages/account.tsx'
import { commonTexts } from '../messages/common.ts'
import { confirmDestructive, notifyDone, notifyFailed } from '../ui/confirm.tsx'
import { Instant } from '../ui/Instant.tsx'
import { ListTable } from '../ui/ListTable.tsx'
import { RowButton } from '../ui/RowButton.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingLines } from '../ui/States.tsx'
import { optionsOf } from '../util/options.ts'
import { Invitations } from './Invitations.tsx'
import { Requirement } from './second-factor/Requirement.tsx'

const COLUMNS = [commonTexts.name, memberTexts.role, memberTexts.joined]
const ROLE_OPTIONS = optionsOf(ROLES, ROLE_NAMES)

/** The members of this account. Owners invite and remove members and change roles. */
export function Members() {
  const owner = useSession().role === 'owner'
  const members = useQuery(membersQuery)
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['members'] })
  const remove = (member: MemberView) =>
    confirmDestructive({
      title: memberTexts.removeTitle(member.name),
      consequence: memberTexts.removeBody,
      verb: memberTexts.remove,
      onConfirm: () =>
        account
          .removeMember(member.id)
          .then(refresh)
          .then(() => notifyDone(memberTexts.removed(member.name)), notifyFailed),
    })
  const setRole = (member: MemberView, role: Role) =>
    account
      .setRole(member.id, role)
      .then(refresh)
      .then(() => notifyDone(memberTexts.roleChanged(member.name, memberTexts.roles[role])), notifyFailed)
  return (
    <Section title={memberTexts.title}>
      {members.isPending && <LoadingLines lines={2} />}
      {members.isError && <Failed error={members.error} onRetry={() => members.refetch()} />}
      {members.data !== undefined && (
        <ListTable
          label={memberTexts.title}
          minWidth={480}
          columns={owner ? [...COLUMNS, memberTexts.secondFactor] : COLUMNS}
          actions
        >
          {members.data?.map((member) => (
            <Table.Tr key={member.id}>
              <Table.Td>
                {member.name}{' '}
                {member.you && (
                  <Badge size="xs" variant="light">
                    {memberTexts.you}
                  </Badge>
                )}
                <Text size="xs" c="dimmed">
                  {member.email}
                </Text>
              </Table.Td>
              <Table.Td>
                {owner && !member.you ? (
                  <Select
                    aria-label={memberTexts.roleOf(member.name)}
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
                  ROLE_NAMES[member.role]
                )}
              </Table.Td>
              <Table.Td>
                <Instant at={member.joinedAt} />
              </Table.Td>
              {member.hasSecondFactor !== null && (
                <Table.Td>{member.hasSecondFactor ? commonTexts.on : commonTexts.off}</Table.Td>
              )}
              <Table.Td ta="right">
                {owner && !member.you && (
                  <RowButton
                    verb={memberTexts.remove}
                    of={member.name}
                    destructive
                    onClick={() => remove(member)}
                  />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </ListTable>
      )}
      {owner && <Requirement />}
      {owner && <Invitations />}
    </Section>
  )
}
