import { useQuery } from '@tanstack/react-query'
import { membersQuery } from '../../data/account.ts'
import { triageTexts } from '../../messages/triage.tsx'

/** The name of the assignee that a filter names. */
export function ChosenMember({ id }: { readonly id: string }) {
  const isMember = id !== 'me' && id !== 'nobody'
  const { data } = useQuery({ ...membersQuery, enabled: isMember })
  if (!isMember) return id === 'me' ? triageTexts.toMe : triageTexts.toNobody
  return data?.find((member) => member.id === id)?.name ?? id
}
