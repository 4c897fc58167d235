import type { ReactNode } from 'react'
import { useSession } from '../data/session.ts'

/** Whether the user may change something in the account. The service refuses every change of a viewer. */
export function useMayChange(): boolean {
  return useSession().role !== 'viewer'
}

/** What changes the account; nothing for a viewer. */
export function MayChange({ children }: { readonly children: ReactNode }) {
  return useMayChange() ? children : null
}
