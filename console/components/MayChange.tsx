import type { ReactNode } from 'react'
import { useSession } from '../data/session.ts'
import { commonTexts } from '../messages/common.ts'
import { Empty } from '../ui/States.tsx'

/** Whether the user may change something in the account. The service refuses every change of a viewer. */
export function useMayChange(): boolean {
  return useSession().role !== 'viewer'
}

/** What changes the account; for a viewer nothing, or `otherwise`. */
export function MayChange({
  children,
  otherwise = null,
}: {
  readonly children: ReactNode
  readonly otherwise?: ReactNode
}) {
  return useMayChange() ? children : otherwise
}

/** Instead of a page that only changes something, for a viewer. `action` leads back. */
export function MembersOnly({ title, action }: { readonly title: string; readonly action: ReactNode }) {
  return (
    <Empty title={title} action={action}>
      {commonTexts.askMember}
    </Empty>
  )
}
