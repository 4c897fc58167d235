import { Anchor } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { basePath } from '../util/base-path.ts'

/** A link to a path of the console that the service gave, with its query. */
export function PathLink({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  const { history } = useRouter()
  const href = `${basePath}${path}`
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    history.push(href)
  }
  return (
    <Anchor href={href} size="sm" onClick={follow}>
      {children}
    </Anchor>
  )
}
