import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { membersQuery } from '../../data/account.ts'
import { useSession } from '../../data/session.ts'
import { triageTexts } from '../../messages/triage.tsx'

/** Whom a review can be assigned to, in an open menu. The members are loaded when it opens. */
export function AssigneeItems({
  onChoose,
}: {
  readonly onChoose: (assignee: string | null, name: string) => void
}) {
  const me = useSession().user
  const members = useQuery(membersQuery)
  const others = members.data?.filter(({ id }) => id !== me?.id) ?? []
  return (
    <>
      <Menu.Label>{triageTexts.assign}</Menu.Label>
      {me !== null && <Menu.Item onClick={() => onChoose('me', me.name)}>{triageTexts.toMe}</Menu.Item>}
      {members.isPending && <Menu.Item disabled>{triageTexts.loadingMembers}</Menu.Item>}
      {others.map(({ id, name }) => (
        <Menu.Item key={id} onClick={() => onChoose(id, name)}>
          {name}
        </Menu.Item>
      ))}
      <Menu.Item onClick={() => onChoose(null, triageTexts.toNobody)}>{triageTexts.toNobody}</Menu.Item>
    </>
  )
}
